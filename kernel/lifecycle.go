package kernel

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// interrupt ends the running cell; without one it does nothing.
func (c *channel) interrupt(*request) (object, error) {
	c.k.interruptCell()
	return object{"status": "ok"}, nil
}

func (k *kernel) interruptCell() {
	k.busy.interrupt()
	if s := k.session.running(); s != nil {
		s.Interrupt()
	}
}

// shutdown ends the session, whatever it does, and then the kernel. The client that wants a restart starts a new one.
func (c *channel) shutdown(r *request) (object, error) {
	var q struct {
		Restart bool `json:"restart"`
	}
	if err := r.decode(&q); err != nil {
		return nil, err
	}
	k := c.k
	k.end()
	content := object{"status": "ok", "restart": q.Restart}
	k.iopub.send(r.asParent(false), message{kind: "shutdown_reply", content: content})
	k.leaving.Store(true)
	return content, nil
}

// watchSignals makes SIGINT interrupt the running cell and SIGTERM end the kernel.
func (k *kernel) watchSignals() (stop func()) {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		for s := range signals {
			if s == os.Interrupt {
				k.interruptCell()
			} else {
				k.stop()
			}
		}
	}()
	return func() { signal.Stop(signals); close(signals) }
}

// watchStarter ends the kernel when the process that started it is gone, which Jupyter asks for by naming that
// process in the environment. Without it a kernel is meant to live on its own.
func (k *kernel) watchStarter(ctx context.Context) {
	if os.Getenv("JPY_PARENT_PID") == "" {
		return
	}
	if starterGone(ctx) {
		k.log.Warn("kernel: the process that started it is gone")
		k.stop()
	}
}
