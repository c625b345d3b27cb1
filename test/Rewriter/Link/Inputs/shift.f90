! Communicates, which a file in C cannot see.
subroutine shift(x) bind(c)
  use iso_c_binding
  real(c_double), intent(inout) :: x
  x = x + 1
end subroutine
