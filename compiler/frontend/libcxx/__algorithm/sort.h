/* std::sort as the array can run it: by insertion, in loops whose counts are known. The library's
 * way calls itself, and is for some types not in its headers. Where it sorts in a constant
 * expression, it does so by __partial_sort(), which is replaced here. */
#ifndef ACIS_LIBCXX_SORT
#define ACIS_LIBCXX_SORT
#include <__algorithm/partial_sort.h>
#include <__config>
#include <__iterator/iterator_traits.h>
#include <__type_traits/is_constant_evaluated.h>
#include <__utility/move.h>
_LIBCPP_BEGIN_NAMESPACE_STD
template <class _AlgPolicy, class _Compare, class _Iterator>
_LIBCPP_HIDE_FROM_ABI constexpr void __acis_sort(_Iterator first, _Iterator, _Iterator last,
                                                 _Compare &compare) {
  using Distance = typename iterator_traits<_Iterator>::difference_type;
  const Distance count = last - first;
  for (Distance next = 0; next < count; ++next) {
    auto value = std::move(first[next]);
    Distance at = next;
    for (; at > 0 && compare(value, first[at - 1]); --at)
      first[at] = std::move(first[at - 1]);
    first[at] = std::move(value);
  }
}
_LIBCPP_END_NAMESPACE_STD
#define __libcpp_is_constant_evaluated() true
#define __partial_sort __acis_sort
#include_next <__algorithm/sort.h>
#undef __partial_sort
#undef __libcpp_is_constant_evaluated
#endif
