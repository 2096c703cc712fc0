// 5: a member of a class cannot be __constant__

template <class T>
struct Filter {
  static __constant__ T weights[5];
};
