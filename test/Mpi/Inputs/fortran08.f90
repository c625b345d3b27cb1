! The module mpi_f08: one collective of each sort.
program fortran08
  use mpi_f08
  implicit none
  integer :: rank, ranks, sum, parts(64), wrong
  type(MPI_Request) :: request
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  wrong = 0
  call MPI_Allreduce(rank, sum, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (sum /= ranks * (ranks - 1) / 2) wrong = wrong + 1
  call MPI_Allgather(rank, 1, MPI_INTEGER, parts, 1, MPI_INTEGER, MPI_COMM_WORLD)
  if (parts(ranks) /= ranks - 1) wrong = wrong + 1
  sum = rank
  call MPI_Iallreduce(MPI_IN_PLACE, sum, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  if (sum /= ranks - 1) wrong = wrong + 1
  call MPI_Reduce(wrong, sum, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD)
  if (rank == 0 .and. sum == 0) print '(a)', "No Errors"
  call MPI_Finalize()
end program
