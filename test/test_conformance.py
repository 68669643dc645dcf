"""jupyter_kernel_test with every optional test on."""

import jupyter_kernel_test
import pytest


@pytest.fixture(autouse=True, scope="module")
def _installed(installed):
    yield


class GauchoTests(jupyter_kernel_test.KernelTests):
    kernel_name = "gaucho"
    language_name = "go"
    file_extension = ".go"
    code_hello_world = 'fmt.Println("hello, world")'
    code_stderr = 'fmt.Fprintln(os.Stderr, "test")'
    completion_samples = [
        {"text": "strings.ToUpp", "matches": {"ToUpper", "ToUpperSpecial"}},
        {"text": "mat.NewVecD", "matches": {"NewVecDense"}},
    ]
    complete_code_samples = ["1", 'fmt.Println("hello")', "func f(x int) int {\n\treturn 2 * x\n}", "x := []int{1, 2}"]
    incomplete_code_samples = ["func f(x int) int {", "fmt.Println(", "x := `raw", "for i := range 3 {", "1 +"]
    invalid_code_samples = ["import = 7q", "}", "func )", "x := := 1"]
    code_page_something = "strings.ToUpper?"
    code_generate_error = 'panic("an error")'
    code_execute_result = [
        {"code": "1 + 2 + 3", "result": "6"},
        {"code": "[]int{1, 2}[1]", "result": "2"},
        {"code": "mat.NewDense(2, 2, []float64{1, 2, 3, 4})", "mime": "text/html"},
    ]
    code_display_data = [
        {"code": 'display.Show(display.HTML("<b>bold</b>"))', "mime": "text/html"},
        {"code": 'display.Show(display.Markdown("*emphasis*"))', "mime": "text/markdown"},
    ]
    code_history_pattern = "1 + 2 +*"
    supported_history_operations = ("tail", "range", "search")
    code_inspect_sample = "strings.ToUpper"
    code_clear_output = "display.Clear(false)"


class GauchoWelcomeTests(jupyter_kernel_test.IopubWelcomeTests):
    kernel_name = "gaucho"
    support_iopub_welcome = True

