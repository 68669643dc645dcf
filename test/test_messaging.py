"""The messaging protocol, seen by jupyter_client."""

import os
import signal

import pytest
from conftest import BEGUN, PATIENCE, Kernel, parent, text, wait_for


def kinds(outputs):
    return [m["msg_type"] for m in outputs]


def result(outputs):
    """The plain text of a cell's value."""
    return next(m["content"]["data"]["text/plain"] for m in outputs if m["msg_type"] == "execute_result")


def test_kernel_info_on_shell_and_control(shared):
    for channel in ["shell", "control"]:
        info = shared.ask("kernel_info_request", {}, channel)
        assert info["status"] == "ok"
        assert info["protocol_version"] == "5.5"
        assert info["language_info"]["name"] == "go"
        assert info["language_info"]["mimetype"] == "text/x-go"
        assert info["language_info"]["file_extension"] == ".go"
        assert info["help_links"] and all(set(link) == {"text", "url"} for link in info["help_links"])


def test_messages_of_a_cell_and_their_order(shared):
    code = 'fmt.Println("one")\nfmt.Fprintln(os.Stderr, "two")\nfmt.Println("three")\n6 * 7'
    reply, out = shared.run(code)
    assert reply["status"] == "ok" and reply["payload"] == [] and reply["user_expressions"] == {}
    assert kinds(out) == ["execute_input", "stream", "stream", "stream", "execute_result"]
    assert out[0]["content"] == {"code": code, "execution_count": reply["execution_count"]}
    assert [m["content"] for m in out[1:4]] == [
        {"name": "stdout", "text": "one\n"},
        {"name": "stderr", "text": "two\n"},
        {"name": "stdout", "text": "three\n"},
    ]
    assert out[4]["content"]["execution_count"] == reply["execution_count"]
    assert out[4]["content"]["data"]["text/plain"] == "42"


def test_output_comes_while_the_cell_runs(shared, gate):
    msg_id = shared.kc.execute(f'fmt.Println("early")\n{gate.wait}\nfmt.Println("late")')
    assert shared.published(msg_id, "stream")["content"]["text"] == "early\n"
    gate.open()
    assert text(shared.outputs(msg_id)) == "late\n"
    shared.reply(msg_id)


def test_messages_of_other_requests_are_kept(shared):
    """Of the client of these tests: whoever asks for one request's messages does not lose another's."""
    first, second = shared.kc.execute("11"), shared.kc.execute("22")
    assert result(shared.outputs(second)) == "22" and result(shared.outputs(first)) == "11"
    assert shared.reply(second)["content"]["status"] == shared.reply(first)["content"]["status"] == "ok"


def test_execution_count(shared):
    n = shared.run("1")[0]["execution_count"]
    assert shared.run("1", store_history=False)[0]["execution_count"] == n
    reply, out = shared.run("1", silent=True)
    assert reply["execution_count"] == n and out == []
    assert shared.run("1")[0]["execution_count"] == n + 1


def test_values_live_from_cell_to_cell(shared):
    shared.run("livingValue := []int{1, 2}")
    shared.run("livingValue = append(livingValue, 3)")
    assert result(shared.run("len(livingValue)")[1]) == "3"


@pytest.mark.parametrize(
    "code, name",
    [("undefinedName", "CompileError"), ("func {", "CompileError"), ("var empty []int; empty[3]", "runtime error")],
)
def test_errors_say_the_same_everywhere(shared, code, name):
    reply, out = shared.run(code)
    assert kinds(out) == ["execute_input", "error"]
    assert reply["status"] == "error" and reply["ename"] == name
    assert reply["traceback"] and all(isinstance(line, str) for line in reply["traceback"])
    for key in ["ename", "evalue", "traceback"]:
        assert reply[key] == out[1]["content"][key]


def test_user_expressions(shared):
    shared.run("expressed := 20")
    reply, _ = shared.run("", silent=True, user_expressions={"good": "expressed + 1", "bad": "notThere"})
    good, bad = reply["user_expressions"]["good"], reply["user_expressions"]["bad"]
    assert good["status"] == "ok" and good["data"]["text/plain"] == "21" and good["metadata"] == {}
    assert bad["status"] == "error" and bad["ename"] and bad["evalue"] and isinstance(bad["traceback"], list)


@pytest.mark.parametrize("stop", [True, False])
def test_stop_on_error(shared, gate, stop):
    cells = [gate.wait + '; panic("stop")', "1", "2"]
    ids = [shared.kc.execute(c, stop_on_error=stop) for c in cells]
    shared.reply(shared.kc.kernel_info())  # which was sent after the cells, so they have arrived
    gate.open()
    replies = [shared.reply(i)["content"] for i in ids]
    if stop:
        # With nothing else: a front end would give the cells that never ran the number that it finds.
        assert replies[1:] == [{"status": "aborted"}] * 2
    assert [r["status"] for r in replies] == (["error", "aborted", "aborted"] if stop else ["error", "ok", "ok"])
    for i in ids:
        shared.outputs(i)
    assert shared.run("3")[0]["status"] == "ok"


def test_complete(shared):
    shared.run("completeThis := 1")
    reply = shared.ask("complete_request", {"code": "é := compl", "cursor_pos": 10})
    assert reply["status"] == "ok" and "completeThis" in reply["matches"]
    assert (reply["cursor_start"], reply["cursor_end"]) == (5, 10)
    types = reply["metadata"]["_jupyter_types_experimental"]
    assert [t["text"] for t in types] == reply["matches"]
    members = shared.ask("complete_request", {"code": "strings.ToU", "cursor_pos": 11})
    assert "ToUpper" in [m.split(".")[-1] for m in members["matches"]]


def test_inspect(shared):
    for detail in [0, 1]:
        reply = shared.ask("inspect_request", {"code": "strings.ToUpper", "cursor_pos": 10, "detail_level": detail})
        assert reply["found"] and "ToUpper(s string) string" in reply["data"]["text/plain"]
        assert "text/markdown" in reply["data"]
    assert not shared.ask("inspect_request", {"code": "nobodyKnowsThis", "cursor_pos": 3, "detail_level": 0})["found"]


def test_page(shared):
    reply, out = shared.run("strings.ToUpper?")
    assert kinds(out) == ["execute_input"]
    assert reply["payload"][0]["source"] == "page"
    assert "ToUpper" in reply["payload"][0]["data"]["text/plain"]


@pytest.mark.parametrize(
    "code, status",
    [("x := 1", "complete"), ("for i := range 3 {", "incomplete"), ("f(1,", "incomplete"), ("}", "invalid"), ("", "complete")],
)
def test_is_complete(shared, code, status):
    reply = shared.ask("is_complete_request", {"code": code})
    assert reply["status"] == status
    assert ("indent" in reply) == (status == "incomplete")


def test_questions_are_answered_while_a_cell_runs(shared, gate):
    cell = shared.begin(gate.wait)
    questions = [
        shared.kc.complete("fmt.Pr"),
        shared.kc.inspect("fmt.Println"),
        shared.kc.is_complete("1"),
        shared.kc.history(n=1),
        shared.kc.comm_info(),
        shared.kc.kernel_info(),
    ]
    assert shared.ask("kernel_info_request", {}, "control")["status"] == "ok"
    wait_for(shared.kc.hb_channel.is_beating, "a heartbeat")
    answered = shared.replies(questions)
    assert [parent(m) for m in answered] == questions
    assert all(m["content"]["status"] in ["ok", "complete"] for m in answered)
    gate.open()
    assert shared.reply(cell)["content"]["status"] == "ok"
    shared.outputs(cell)


def test_output_of_a_goroutine_belongs_to_its_cell(shared):
    first = shared.kc.execute('letGo := make(chan bool)\ngo func() { <-letGo; fmt.Println("late") }()')
    assert shared.reply(first)["content"]["status"] == "ok"
    assert shared.outputs(first)[1:] == []
    second = shared.kc.execute("close(letGo)")
    assert shared.published(first, "stream")["content"]["text"] == "late\n"
    assert shared.reply(second)["content"]["status"] == "ok"


def answer(kernel, value):
    """Answers the question that a cell asks, and returns it."""
    question = kernel.question()
    kernel.kc.input(value)
    return question


def test_input(shared):
    msg_id = shared.kc.execute('var inputName string\nfmt.Print("who? ")\nfmt.Scanln(&inputName)\nfmt.Println("hello", inputName)', allow_stdin=True)
    assert answer(shared, "gopher")["password"] is False
    assert shared.reply(msg_id)["content"]["status"] == "ok"
    assert text(shared.outputs(msg_id)).endswith("hello gopher\n")


def test_input_through_a_reader(shared):
    msg_id = shared.kc.execute("lines := bufio.NewScanner(os.Stdin)\nlines.Scan()\nlines.Text()", allow_stdin=True)
    answer(shared, "a whole line")
    assert shared.reply(msg_id)["content"]["status"] == "ok"
    assert "a whole line" in result(shared.outputs(msg_id))


def test_no_input_where_none_is_allowed(shared):
    reply, out = shared.run("var noInput string\nfmt.Scanln(&noInput)", allow_stdin=False)
    assert reply["status"] in ["ok", "error"]


def test_interrupt_ends_a_question(shared):
    msg_id = shared.kc.execute("var never string\nfmt.Scanln(&never)", allow_stdin=True)
    shared.question()
    shared.km.interrupt_kernel()
    assert shared.reply(msg_id)["content"]["status"] == "error"
    shared.outputs(msg_id)


@pytest.mark.parametrize("how", ["message", "signal"])
def test_interrupt_keeps_values(shared, how):
    shared.run("beforeInterrupt := 7")
    loop = shared.begin("for { beforeInterrupt++; beforeInterrupt-- }")
    queued = shared.kc.execute("1")
    shared.reply(shared.kc.kernel_info())  # so the cell has arrived
    if how == "message":
        assert shared.ask("interrupt_request", {}, "control") == {"status": "ok"}
    else:
        os.kill(shared.km.provisioner.pid, signal.SIGINT)
    reply = shared.reply(loop)["content"]
    assert reply["status"] == "error" and reply["ename"] == "Interrupt"
    assert shared.reply(queued)["content"]["status"] == "aborted"
    shared.outputs(queued)
    assert int(result(shared.run("beforeInterrupt")[1])) in [7, 8]


def test_interrupt_while_idle_is_harmless(shared):
    shared.ask("interrupt_request", {}, "control")
    assert shared.run("1")[0]["status"] == "ok"
    os.kill(shared.km.provisioner.pid, signal.SIGINT)
    # Nothing tells when the signal has come: if it is late, it meets the next cell, but no other.
    assert shared.run("1")[0].get("ename") in [None, "Interrupt"]
    assert shared.run("1")[0]["status"] == "ok"


def test_comm_info_and_a_target_that_nobody_knows(shared):
    assert shared.ask("comm_info_request", {})["comms"] == {}
    out = shared.outputs(shared.send("comm_open", {"comm_id": "strange", "target_name": "nobody", "data": {}}))
    assert kinds(out) == ["comm_close"] and out[0]["content"]["comm_id"] == "strange"
    assert shared.ask("comm_info_request", {"target_name": "nobody"})["comms"] == {}


def test_history(installed):
    a = Kernel(installed)
    b = Kernel(installed)
    try:
        a.run('historyA := "first"')
        b.run('historyB := "second"')
        a.run("historyA + historyA")
        tail = a.ask("history_request", {"hist_access_type": "tail", "n": 3, "output": False, "raw": True})["history"]
        assert [h[2] for h in tail] == ['historyA := "first"', 'historyB := "second"', "historyA + historyA"]
        assert tail[0][0] == tail[2][0] != tail[1][0] and [h[1] for h in tail] == [1, 1, 2]
        here = a.ask("history_request", {"hist_access_type": "range", "session": 0, "start": 2, "output": True, "raw": True})
        assert [h[2][0] for h in here["history"]] == ["historyA + historyA"] and "firstfirst" in here["history"][0][2][1]
        found = b.ask("history_request", {"hist_access_type": "search", "pattern": "history[AB] :=*", "output": False, "raw": True})
        assert [h[2] for h in found["history"]] == ['historyA := "first"', 'historyB := "second"']
        assert os.stat(os.environ["GAUCHO_HISTORY"]).st_mode & 0o777 == 0o600
    finally:
        for k in [a, b]:
            k.close()


def start(kernel, code, subshell):
    """Starts a cell in a subshell and returns its id."""
    return kernel.send("execute_request", {"code": code}, subshell=subshell)


def test_subshells(kernel):
    assert "kernel subshells" in kernel.ask("kernel_info_request", {})["supported_features"]
    sub, other = (kernel.ask("create_subshell_request", {}, "control")["subshell_id"] for _ in range(2))
    assert kernel.ask("list_subshell_request", {}, "control")["subshell_id"] == [sub, other]
    kernel.run("gate, back := make(chan int), make(chan int)")
    main = kernel.begin("back <- 1 + <-gate\nlate := 1")
    for kind, content in [
        ("comm_info_request", {}), ("kernel_info_request", {}), ("is_complete_request", {"code": "1"}),
        ("complete_request", {"code": "ga", "cursor_pos": 2}), ("inspect_request", {"code": "gate", "cursor_pos": 2, "detail_level": 0}),
    ]:
        kernel.reply(kernel.send(kind, content, subshell=sub))
    # Cells in two subshells and in the main shell, each of which waits for another.
    first = start(kernel, 'fmt.Println("first")\n<-back', sub)
    second = start(kernel, "n := 41\ngate <- n", other)
    replies = [kernel.reply(i) for i in (main, first, second)]
    assert all(m["content"]["status"] == "ok" for m in replies)
    assert len({m["content"]["execution_count"] for m in replies}) == 3
    assert replies[1]["parent_header"]["subshell_id"] == sub
    assert result(kernel.run("n + late")[1]) == "42"
    # What fails in one aborts nothing in another; an interrupt ends all that runs.
    main = kernel.begin("for {\n}")
    failed = start(kernel, 'panic("no")', sub)
    assert kernel.reply(failed)["content"]["status"] == "error"
    endless = kernel.begun(start(kernel, BEGUN + "gate <- 1", other))
    kernel.km.interrupt_kernel()
    assert [kernel.reply(i)["content"].get("ename") for i in (main, endless)] == ["Interrupt", "Interrupt"]
    for s in [sub, other]:
        assert kernel.ask("delete_subshell_request", {"subshell_id": s}, "control") == {"status": "ok"}
    gone = kernel.send("comm_info_request", {}, subshell=sub)
    assert kernel.reply(gone)["content"]["status"] == "error"


def test_output_in_subshells(kernel):
    """Output names the cell that printed it as its parent, whatever runs beside."""
    sub = kernel.ask("create_subshell_request", {}, "control")["subshell_id"]
    code = 'for i := range 200 {{ fmt.Println("{}", i); time.Sleep(time.Millisecond) }}'
    ids = [start(kernel, code.format("m"), None), start(kernel, code.format("s"), sub)]
    for i, c in zip(ids, "ms"):
        assert text(kernel.outputs(i)) == "".join(f"{c} {n}\n" for n in range(200))


def test_usage(shared):
    shared.run("1")  # by now there is a worker
    usage = shared.ask("usage_request", {}, "control")
    assert usage["pid"] == shared.km.provisioner.pid and usage["kernel_memory"] > 1e6
    apart = usage["gaucho"]
    assert apart["kernel_memory"] > 1e6 and apart["worker_memory"] > 1e6
    assert abs(apart["kernel_memory"] + apart["worker_memory"] - usage["kernel_memory"]) < 1


@pytest.mark.parametrize("busy", [False, True])
def test_shutdown(installed, busy):
    k = Kernel(installed)
    if busy:
        k.begin("for {}")
    asked = k.send("shutdown_request", {"restart": False}, "control")
    assert k.reply(asked, "control")["content"] == {"status": "ok", "restart": False}
    assert "shutdown_reply" in kinds(k.outputs(asked))
    assert k.km.provisioner.process.wait(timeout=PATIENCE) == 0
    k.close()


def test_restart(kernel):
    kernel.run("beforeRestart := 1")
    kernel.restart()
    assert kernel.run("beforeRestart")[0]["status"] == "error"
    assert kernel.run("1")[0]["execution_count"] == 2


def test_ipc(installed):
    k = Kernel(installed, transport="ipc")
    try:
        assert k.kc.ip and k.run("1")[0]["status"] == "ok"
    finally:
        k.close()


def test_two_clients(shared):
    other = shared.client()
    try:
        shared.run("1")
        msg_id = other.kc.execute("fmt.Println(1)")
        assert other.reply(msg_id)["content"]["status"] == "ok"
        for client in [shared, other]:  # both see what either runs
            assert text(client.outputs(msg_id)) == "1\n"
    finally:
        other.stop()
