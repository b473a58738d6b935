/* Short names of kernels. */
#include "ingest/collect/kernel_name.h"

#include <string.h>

#include "base/strbuf.h"
#include "tests/unit/unit.h"

static const struct {
	const char *name, *expected;
} names[] = {
	{"gemm", "gemm"},
	{"  gemm(int)  ", "gemm"},
	{"_Z4gemmPf", "_Z4gemmPf"},
	{"triton_poi_fused_0", "triton_poi_fused_0"},
	{"void gemm_tiled<(int)32>(const float *, float *, int)", "gemm_tiled<32>"},
	{"void gemm_tiled<32>(float*)", "gemm_tiled<32>"},
	{"void k<(bool)1, (unsigned char)3, (char)-1, (ns::Layout)2>(int)", "k<1,3,-1,2>"},
	{"void k<&f(int), 3>(int)", "k<&f(int),3>"},
	{"void k<float, (int)4>(T1 *, const T2<(int)4> *)", "k<float,4>"},
	{"void k<A<B<int> > >(int)", "k<A<B<int>>>"},
	{"void <unnamed>::k(int)", "(anonymous)::k"},
	{"void unnamed>::k<32>(const float *)", "(anonymous)::k<32>"},
	{"unnamed>::k(float, float *)", "(anonymous)::k"},
	{"void (anonymous namespace)::k<float>(float*)", "(anonymous)::k<float>"},
	{"void at::native::(anonymous namespace)::k<float>(float*)",
	 "at::native::(anonymous)::k<float>"},
	{"void at::native::<unnamed>::k<float, (int)4>(T2)", "at::native::(anonymous)::k<float,4>"},
	{"std::enable_if<!T7, void>::type internal::gemvx::kernel<int, (bool)0>(T13)",
	 "internal::gemvx::kernel<int,0>"},
	{"std::enable_if<(A > B), void>::type ns::k<int>(int)", "ns::k<int>"},
	{"Functor::operator()(int) const", "Functor::operator()"},
	{"void Functor::operator ()<float>(float) const", "Functor::operator ()<float>"},
	{"void k<f()::[lambda() (instance 1)]::operator ()() const::[lambda(float)]>(int)",
	 "k<f()::[lambda() (instance 1)]::operator ()() const::[lambda(float)]>"},
	{"copy[v1,abc](Array<long long, 1, C, mutable, aligned>, long long)", "copy[v1,abc]"},
	{"kernel(int, void (*)(int))", "kernel"},
	{"k<(", "k<("},
	{"(", "("},
	{"", "?"},
	{"a\tb", "?"},
	{"a\xff", "?"},
};

START_TEST(names_are_made_short)
{
	struct arena arena = {0};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *name = kernel_name_short(&arena, span_of(names[i].name));
		ck_assert_msg(strcmp(name, names[i].expected) == 0, "%s: %s, not %s", names[i].name,
			      name, names[i].expected);
		/* Short names stay as they are. */
		ck_assert_str_eq(kernel_name_short(&arena, span_of(name)), name);
	}
	arena_free(&arena);
}
END_TEST

/* They end at the limit, in whole characters, and stay different. */
START_TEST(long_names_stay_apart)
{
	struct arena arena = {0};
	const char *shorts[2];
	for (int i = 0; i < 2; i++) {
		struct strbuf sb = {0};
		strbuf_addstr(&sb, "void k<");
		strbuf_repeat(&sb, "\xc3\xa4", 3 * kernel_name_limit);
		strbuf_addf(&sb, ", %d>(int)", i);
		shorts[i] = kernel_name_short(&arena, strbuf_span(&sb));
		ck_assert_uint_le(strlen(shorts[i]), kernel_name_limit);
		ck_assert_uint_ge(strlen(shorts[i]), kernel_name_limit - 3);
		ck_assert_ptr_nonnull(strstr(shorts[i], "\xa4..."));
		strbuf_free(&sb);
	}
	ck_assert_str_ne(shorts[0], shorts[1]);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("kernel_name", names_are_made_short, long_names_stay_apart)
