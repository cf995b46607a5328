package native

import "testing"

// The symbols are of programs by g++ 12 and clang++ 14: lambdas in main and in a constructor, one that std::async runs, and a
// function with its arguments, whose type others have too.
func TestAThreadIsCalledByTheLambdaThatItRuns(t *testing.T) {
	t.Parallel()
	for symbol, want := range map[string]string{
		"_ZNSt6thread11_State_implINS_8_InvokerISt5tupleIJZ4mainEUlvE0_EEEEE6_M_runEv":     "main::{lambda()#2}",
		"_ZNSt6thread11_State_implINS_8_InvokerISt5tupleIJZN4PoolC4EiEUlvE_EEEEE6_M_runEv": "Pool::Pool::{lambda()#1}",
		"_ZNSt6thread11_State_implINS_8_InvokerISt5tupleIJZ4mainE3$_0EEEEE6_M_runEv":       "main::$_0",
		"_ZNSt6thread11_State_implINS_8_InvokerISt5tupleIJPFviEiEEEEE6_M_runEv":            "",
		"_ZNSt6thread11_State_implINS_8_InvokerISt5tupleIJMNSt13__future_base17_Async_state_implINS1_IS2_IJZ10merge_sortIN9__gnu_cxx17__normal_iteratorIPiSt6vectorIiSaIiEEEEEvT_SD_iEUlvE_EEEEvEEFvvEPSH_EEEEE6_M_runEv": "merge_sort::{lambda()#1}",
		"main": "",
	} {
		if got := threadBody(symbol); got != want {
			t.Errorf("%s runs %q, want %q", symbol, got, want)
		}
	}
}
