# What nbgrader needs to know of Go. Load it in the course's nbgrader_config.py:
#
#     c = get_config()
#     load_subconfig("gaucho_config.py")

from nbgrader.preprocessors import ClearSolutions, InstantiateTests

c = get_config()  # noqa: F821

# What students find where a solution was. A panic keeps a function compiling that must return something.
c.ClearSolutions.code_stub = ClearSolutions().code_stub | {"go": '// YOUR CODE HERE\npanic("not implemented")'}

# Tests made from solutions, for kernels by their names; autotests.yml says how. What a cell shows of a string is a Go
# literal already, so nothing is stripped from it.
c.InstantiateTests.comment_strs = InstantiateTests().comment_strs | c.InstantiateTests.get("comment_strs", {}) | {"gaucho": "//"}
c.InstantiateTests.sanitizers = InstantiateTests().sanitizers | c.InstantiateTests.get("sanitizers", {}) | {"gaucho": str}
