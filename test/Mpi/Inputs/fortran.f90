! Collectives from Fortran: in place, non-blocking beside messages, logical and complex types,
! with counts for each rank, an operation of the program's own. Says what is wrong, or "No Errors".
module functions
contains
  subroutine larger(a, b, n, type)
    integer :: n, type, i
    integer :: a(n), b(n)
    do i = 1, n
      b(i) = max(a(i), b(i))
    end do
  end subroutine
end module

program fortran
  use mpi
  use functions
  implicit none
  integer, parameter :: n = 3000
  integer :: rank, ranks, code, i, errors, total, comm, op, requests(3), statuses(MPI_STATUS_SIZE, 3)
  integer :: status(MPI_STATUS_SIZE), given(n), got(n), next, before, index
  double precision :: real8(n)
  complex :: numbers(4)
  logical :: all, mine, flag
  integer, allocatable :: counts(:), places(:), parts(:), out(:)

  errors = 0
  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)

  given = rank + 1
  call MPI_Allreduce(given, got, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
  call expect(sum(got) == n * ranks * (ranks + 1) / 2, "allreduce")
  real8 = 0.5d0 * rank
  call MPI_Allreduce(MPI_IN_PLACE, real8, n, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, code)
  call expect(real8(1) == 0.5d0 * (ranks - 1) .and. real8(n) == real8(1), "in place")
  mine = rank /= 1
  call MPI_Allreduce(mine, all, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, code)
  call expect(.not. all, "logical and")
  call MPI_Allreduce(mine, all, 1, MPI_LOGICAL, MPI_LOR, MPI_COMM_WORLD, code)
  call expect(all, "logical or")
  numbers = cmplx(rank, 1)
  call MPI_Allreduce(MPI_IN_PLACE, numbers, 4, MPI_COMPLEX, MPI_SUM, MPI_COMM_WORLD, code)
  call expect(numbers(4) == cmplx(ranks * (ranks - 1) / 2, ranks), "complex sum")

  call MPI_Comm_dup(MPI_COMM_WORLD, comm, code)
  if (rank == ranks - 1) given = 77
  call MPI_Bcast(given, n, MPI_INTEGER, ranks - 1, comm, code)
  call expect(given(1) == 77 .and. given(n) == 77, "bcast")

  ! Non-blocking, beside messages, completed together.
  next = mod(rank + 1, ranks)
  before = mod(rank + ranks - 1, ranks)
  given = rank
  call MPI_Iallreduce(given, got, n, MPI_INTEGER, MPI_SUM, comm, requests(1), code)
  call MPI_Irecv(i, 1, MPI_INTEGER, before, 5, comm, requests(2), code)
  call MPI_Isend(rank, 1, MPI_INTEGER, next, 5, comm, requests(3), code)
  call MPI_Waitall(3, requests, statuses, code)
  call expect(i == before .and. statuses(MPI_SOURCE, 2) == before, "message")
  call expect(got(n) == ranks * (ranks - 1) / 2, "iallreduce")
  call expect(requests(1) == MPI_REQUEST_NULL, "request")
  call MPI_Ibarrier(comm, requests(1), code)
  flag = .false.
  do while (.not. flag)
    call MPI_Test(requests(1), flag, status, code)
  end do
  call MPI_Ibcast(got, n, MPI_INTEGER, 0, comm, requests(1), code)
  requests(2) = MPI_REQUEST_NULL
  call MPI_Waitany(2, requests, index, MPI_STATUS_IGNORE, code)
  call expect(index == 1, "waitany")

  allocate(counts(ranks), places(ranks), parts(2 * ranks * ranks), out(ranks))
  do i = 1, ranks
    counts(i) = i
    places(i) = i * (i - 1)
  end do
  out = rank
  parts = -1
  call MPI_Allgatherv(out, rank + 1, MPI_INTEGER, parts, counts, places, MPI_INTEGER, comm, code)
  do i = 1, ranks
    call expect(all_are(parts(places(i) + 1:places(i) + i), i - 1), "allgatherv")
  end do
  call MPI_Scan(rank, i, 1, MPI_INTEGER, MPI_SUM, comm, code)
  call expect(i == rank * (rank + 1) / 2, "scan")

  call MPI_Op_create(larger, .true., op, code)
  call MPI_Allreduce(rank, i, 1, MPI_INTEGER, op, comm, code)
  call expect(i == ranks - 1, "own operation")
  call MPI_Op_free(op, code)
  call MPI_Comm_free(comm, code)

  call MPI_Reduce(errors, total, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, code)
  if (rank == 0 .and. total == 0) print '(a)', "No Errors"
  call MPI_Finalize(code)
contains
  logical function all_are(values, value)
    integer, intent(in) :: values(:), value
    all_are = count(values /= value) == 0
  end function
  subroutine expect(good, what)
    logical, intent(in) :: good
    character(*), intent(in) :: what
    if (.not. good) then
      errors = errors + 1
      print '(a,i0,a,a)', "rank ", rank, ": wrong: ", what
    end if
  end subroutine
end program
