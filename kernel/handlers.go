package kernel

// A handler answers one type of request: with the content of the reply, nil for none.
// An error says what is wrong with the request.
type handler func(c *channel, r *request) (object, error)

// handlers are those of all requests but that to run a cell.
func handlers() map[string]handler {
	return map[string]handler{
		"kernel_info_request":     (*channel).kernelInfo,
		"connect_request":         (*channel).connect,
		"complete_request":        (*channel).complete,
		"inspect_request":         (*channel).inspect,
		"is_complete_request":     (*channel).isComplete,
		"history_request":         (*channel).historyRequest,
		"comm_info_request":       (*channel).commInfo,
		"interrupt_request":       (*channel).interrupt,
		"shutdown_request":        (*channel).shutdown,
		"usage_request":           (*channel).usage,
		"debug_request":           (*channel).debugRequest,
		"create_subshell_request": (*channel).createSubshell,
		"delete_subshell_request": (*channel).deleteSubshell,
		"list_subshell_request":   (*channel).listSubshells,
	}
}
