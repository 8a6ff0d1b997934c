// Lanes of a processor as the numbers of device.h, in the vectors that gcc and clang have.
#ifndef APPELL_LANES_OF
#define APPELL_LANES_OF
#ifdef __x86_64__
#include <immintrin.h>
#endif

// How many bytes ahead memory is asked for what will be read and written: with a stream a number of a state, there are more of
// them than processors follow by themselves.
#ifndef APPELL_AHEAD
#define APPELL_AHEAD 512
#endif
#define APPELL_INLINE inline __attribute__((always_inline))

template <typename F> struct appell_lanes {
    typedef F vector __attribute__((vector_size(APPELL_LANES)));
    static constexpr int many = APPELL_LANES / sizeof(F);
    vector v;
    APPELL_INLINE appell_lanes() {}
    APPELL_INLINE appell_lanes(const vector &v) : v(v) {}
    APPELL_INLINE explicit appell_lanes(F x) : v(vector{} + x) {}
    APPELL_INLINE appell_lanes operator-() const { return appell_lanes(-v); }
    APPELL_INLINE appell_lanes operator+(const appell_lanes &y) const { return appell_lanes(v + y.v); }
    APPELL_INLINE appell_lanes operator-(const appell_lanes &y) const { return appell_lanes(v - y.v); }
    APPELL_INLINE appell_lanes operator*(const appell_lanes &y) const { return appell_lanes(v * y.v); }
    APPELL_INLINE appell_lanes operator/(const appell_lanes &y) const { return appell_lanes(v / y.v); }
    // Whether a mask has any lane set.
    template <typename Mask> static APPELL_INLINE bool any(Mask mask)
    {
#if defined(__AVX512F__)
        return _mm512_test_epi64_mask((__m512i)mask, (__m512i)mask) != 0;
#elif defined(__AVX2__)
        return !_mm256_testz_si256((__m256i)mask, (__m256i)mask);
#else
        bool found = false;
        for (int k = 0; k < many; ++k) found |= mask[k] != 0;
        return found;
#endif
    }
};

template <typename F> struct appell_memory<appell_lanes<F>> {
    typedef F scalar;
    typedef typename appell_lanes<F>::vector vector;
    static APPELL_INLINE appell_lanes<F> load(const F *at)
    {
        __builtin_prefetch((const char *)at + APPELL_AHEAD, 0);
        appell_lanes<F> x;
        __builtin_memcpy((void *)&x, at, sizeof x);
        return x;
    }
    static APPELL_INLINE void store(F *at, const appell_lanes<F> &x)
    {
        __builtin_prefetch((const char *)at + APPELL_AHEAD, 1);
        __builtin_memcpy(at, &x, sizeof x);
    }
};

template <typename F> APPELL_DEVICE appell_lanes<F> appell_where(appell_lanes<F> x, appell_lanes<F> yes, appell_lanes<F> no)
{
    return appell_lanes<F>(x.v > F(0) ? yes.v : no.v);
}

// Polynomials of fdlibm (Sun Microsystems, 1993) for double, of Cephes (S. L. Moshier) for float, after x - n pi/2.
template <typename F> struct appell_angles;
template <> struct appell_angles<double> {
    static constexpr double largest = 1e5, rounds = 6755399441055744.0;
    static constexpr double parts[3] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69};
    template <typename V> static APPELL_INLINE V sine(V z)
    {
        return -0x1.5555555555549p-3 + z * (0x1.111111110f8a6p-7 + z * (-0x1.a01a019c161d5p-13 + z * (0x1.71de357b1fe7dp-19
            + z * (-0x1.ae5e68a2b9cebp-26 + z * 0x1.5d93a5acfd57cp-33))));
    }
    template <typename V> static APPELL_INLINE V cosine(V z)
    {
        return 0x1.555555555554cp-5 + z * (-0x1.6c16c16c15177p-10 + z * (0x1.a01a019cb159p-16 + z * (-0x1.27e4f809c52adp-22
            + z * (0x1.1ee9ebdb4b1c4p-29 + z * -0x1.8fae9be8838d4p-37))));
    }
};
template <> struct appell_angles<float> {
    static constexpr float largest = 2000.0f, rounds = 12582912.0f;
    static constexpr float parts[3] = {1.5703125f, 4.8375129699707031e-4f, 7.5497899548918861e-8f};
    template <typename V> static APPELL_INLINE V sine(V z)
    {
        return -1.6666654611e-1f + z * (8.3321608736e-3f + z * -1.9515295891e-4f);
    }
    template <typename V> static APPELL_INLINE V cosine(V z)
    {
        return 4.166664568298827e-2f + z * (-1.388731625493765e-3f + z * 2.443315711809948e-5f);
    }
};
constexpr double appell_angles<double>::parts[3];
constexpr float appell_angles<float>::parts[3];

// Angles that are too large for the reduction: one after the other.
template <typename F> static __attribute__((noinline, cold)) void appell_far_sincos(const F *x, F *s, F *c)
{
    for (int k = 0; k < appell_lanes<F>::many; ++k) {
        s[k] = std::sin(x[k]);
        c[k] = std::cos(x[k]);
    }
}

template <typename F> APPELL_DEVICE void appell_sincos(appell_lanes<F> x, appell_lanes<F> *s, appell_lanes<F> *c)
{
    typedef typename appell_lanes<F>::vector vector;
    typedef appell_angles<F> angles;
    const vector n = (x.v * F(0.63661977236758134308) + angles::rounds) - angles::rounds;
    const vector r = ((x.v - n * angles::parts[0]) - n * angles::parts[1]) - n * angles::parts[2];
    const vector z = r * r;
    const vector sine = r + r * (z * angles::sine(z)), half = z * F(0.5), w = F(1) - half;
    const vector cosine = w + ((F(1) - w - half) + z * (z * angles::cosine(z)));
    // n mod 4, by whole numbers: which of both it is, and with which signs.
    const auto quarter = __builtin_convertvector(n, decltype(n < n));
    const auto odd = (quarter & 1) != 0;
    const vector first = odd ? cosine : sine, second = odd ? sine : cosine;
    s->v = (quarter & 2) != 0 ? -first : first;
    c->v = ((quarter + 1) & 2) != 0 ? -second : second;
    if (__builtin_expect(appell_lanes<F>::any((x.v > angles::largest) | (x.v < -angles::largest)), 0)) {
        F angle[appell_lanes<F>::many], sines[appell_lanes<F>::many], cosines[appell_lanes<F>::many];
        __builtin_memcpy(angle, &x, sizeof angle);
        appell_far_sincos<F>(angle, sines, cosines);
        __builtin_memcpy((void *)s, sines, sizeof sines);
        __builtin_memcpy((void *)c, cosines, sizeof cosines);
    }
}
template <typename F> APPELL_DEVICE appell_lanes<F> appell_sin(appell_lanes<F> x)
{
    appell_lanes<F> s, c;
    appell_sincos(x, &s, &c);
    return s;
}
template <typename F> APPELL_DEVICE appell_lanes<F> appell_cos(appell_lanes<F> x)
{
    appell_lanes<F> s, c;
    appell_sincos(x, &s, &c);
    return c;
}
// The others are rare or one instruction: the compiler makes vectors of what it can.
#define APPELL_EACH(name, of) \
    template <typename F> APPELL_DEVICE appell_lanes<F> name(appell_lanes<F> x) \
    { \
        appell_lanes<F> found; \
        for (int k = 0; k < appell_lanes<F>::many; ++k) found.v[k] = of(x.v[k]); \
        return found; \
    }
APPELL_EACH(appell_exp, std::exp)
APPELL_EACH(appell_abs, std::fabs)
#undef APPELL_EACH
template <typename F> APPELL_DEVICE appell_lanes<F> appell_sqrt(appell_lanes<F> x)
{
#if defined(__AVX512F__)
    if constexpr (sizeof(F) == 8) return appell_lanes<F>((typename appell_lanes<F>::vector)_mm512_sqrt_pd((__m512d)x.v));
    else return appell_lanes<F>((typename appell_lanes<F>::vector)_mm512_sqrt_ps((__m512)x.v));
#elif defined(__AVX2__)
    if constexpr (sizeof(F) == 8) return appell_lanes<F>((typename appell_lanes<F>::vector)_mm256_sqrt_pd((__m256d)x.v));
    else return appell_lanes<F>((typename appell_lanes<F>::vector)_mm256_sqrt_ps((__m256)x.v));
#else
    appell_lanes<F> found;
    for (int k = 0; k < appell_lanes<F>::many; ++k) found.v[k] = std::sqrt(x.v[k]);
    return found;
#endif
}
template <typename F> APPELL_DEVICE appell_lanes<F> appell_atan2(appell_lanes<F> y, appell_lanes<F> x)
{
    appell_lanes<F> found;
    for (int k = 0; k < appell_lanes<F>::many; ++k) found.v[k] = std::atan2(y.v[k], x.v[k]);
    return found;
}
#endif
