// What generated functions stand on: numbers of CUDA, of plain C++, or lanes of a processor.
//
// T is the number that is computed with, appell_scalar<T> the one in memory. On a GPU, and in plain C++, both are float or
// double. Compiled with -DAPPELL_LANES=64, as many bytes as a register has, T may also be appell_lanes<float> or
// appell_lanes<double>: neighbouring states side by side.
#ifndef APPELL_DEVICE
#ifdef __CUDACC__
#define APPELL_DEVICE static __device__ __forceinline__
#elif defined(__GNUC__)
#define APPELL_DEVICE static inline __attribute__((always_inline, unused))
#else
#define APPELL_DEVICE static inline
#endif
#ifndef __CUDACC__
#include <cmath>
#endif

template <typename T> struct appell_memory {
    typedef T scalar;
#ifdef __CUDACC__
    static __device__ __forceinline__ T load(const T *at) { return *at; }
    static __device__ __forceinline__ void store(T *at, T x) { *at = x; }
#else
    static T load(const T *at) { return *at; }
    static void store(T *at, T x) { *at = x; }
#endif
};
template <typename T> using appell_scalar = typename appell_memory<T>::scalar;

// Entry of state i in a column, which has one of every state.
template <typename T> APPELL_DEVICE T appell_load(const appell_scalar<T> *column, long long i)
{
    return appell_memory<T>::load(column + i);
}
template <typename T> APPELL_DEVICE void appell_store(appell_scalar<T> *column, long long i, T x)
{
    appell_memory<T>::store(column + i, x);
}
// `yes` where x > 0.
template <typename T> APPELL_DEVICE T appell_where(T x, T yes, T no) { return x > T(0) ? yes : no; }
// 0, or NaN where x is not finite: sums of these tell whether all were.
template <typename T> APPELL_DEVICE T appell_zero_if_finite(T x) { return x - x; }

#ifdef __CUDACC__
APPELL_DEVICE void appell_sincos(float x, float *s, float *c) { sincosf(x, s, c); }
APPELL_DEVICE void appell_sincos(double x, double *s, double *c) { sincos(x, s, c); }
APPELL_DEVICE float appell_sin(float x) { return sinf(x); }
APPELL_DEVICE double appell_sin(double x) { return sin(x); }
APPELL_DEVICE float appell_cos(float x) { return cosf(x); }
APPELL_DEVICE double appell_cos(double x) { return cos(x); }
APPELL_DEVICE float appell_sqrt(float x) { return sqrtf(x); }
APPELL_DEVICE double appell_sqrt(double x) { return sqrt(x); }
APPELL_DEVICE float appell_atan2(float y, float x) { return atan2f(y, x); }
APPELL_DEVICE double appell_atan2(double y, double x) { return atan2(y, x); }
APPELL_DEVICE float appell_exp(float x) { return expf(x); }
APPELL_DEVICE double appell_exp(double x) { return exp(x); }
APPELL_DEVICE float appell_abs(float x) { return fabsf(x); }
APPELL_DEVICE double appell_abs(double x) { return fabs(x); }
#else
template <typename T> APPELL_DEVICE void appell_sincos(T x, T *s, T *c) { *s = std::sin(x); *c = std::cos(x); }
template <typename T> APPELL_DEVICE T appell_sin(T x) { return std::sin(x); }
template <typename T> APPELL_DEVICE T appell_cos(T x) { return std::cos(x); }
template <typename T> APPELL_DEVICE T appell_sqrt(T x) { return std::sqrt(x); }
template <typename T> APPELL_DEVICE T appell_atan2(T y, T x) { return std::atan2(y, x); }
template <typename T> APPELL_DEVICE T appell_exp(T x) { return std::exp(x); }
template <typename T> APPELL_DEVICE T appell_abs(T x) { return std::fabs(x); }
#endif
#endif
