package kernel

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"strconv"
)

// A Connection is what a connection file says: where to listen and how messages are signed.
type Connection struct {
	Transport       string `json:"transport"` // "tcp" or "ipc"
	IP              string `json:"ip"`        // for ipc the first part of the sockets' paths
	ShellPort       int    `json:"shell_port"`
	IOPubPort       int    `json:"iopub_port"`
	StdinPort       int    `json:"stdin_port"`
	ControlPort     int    `json:"control_port"`
	HBPort          int    `json:"hb_port"`
	SignatureScheme string `json:"signature_scheme"`
	Key             string `json:"key"`
	KernelName      string `json:"kernel_name"`
}

// readConnection reads a connection file and says what is wrong with it, never what its key is.
func readConnection(file string) (*Connection, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("kernel: connection file: %w", err)
	}
	c, err := parseConnection(data)
	if err != nil {
		return nil, fmt.Errorf("kernel: connection file %s: %w", file, err)
	}
	return c, nil
}

func parseConnection(data []byte) (*Connection, error) {
	c := &Connection{Transport: "tcp", IP: "127.0.0.1", SignatureScheme: "hmac-sha256"}
	if err := json.Unmarshal(data, c); err != nil {
		return nil, fmt.Errorf("not a connection file: %w", err)
	}
	switch {
	case c.Transport != "tcp" && c.Transport != "ipc":
		return nil, fmt.Errorf("transport is %q, must be tcp or ipc", c.Transport)
	case c.IP == "":
		return nil, fmt.Errorf("ip is empty, must be an address or, for ipc, a path")
	case c.SignatureScheme == "":
		c.SignatureScheme = "hmac-sha256"
	}
	used := map[int]string{}
	for _, p := range c.ports() {
		if p.port < 1 || p.port > 65535 {
			return nil, fmt.Errorf("%s_port is %d, must be 1 to 65535", p.name, p.port)
		}
		if other := used[p.port]; other != "" {
			return nil, fmt.Errorf("%s_port is %d, which %s_port has already", p.name, p.port, other)
		}
		used[p.port] = p.name
	}
	if _, err := newSigner(c.SignatureScheme, c.Key); err != nil {
		return nil, err
	}
	return c, nil
}

type namedPort struct {
	name string
	port int
}

func (c *Connection) ports() []namedPort {
	return []namedPort{
		{"shell", c.ShellPort}, {"iopub", c.IOPubPort}, {"stdin", c.StdinPort}, {"control", c.ControlPort}, {"hb", c.HBPort},
	}
}

// address is where the socket with the given port listens, as zmtp.Listen takes it.
func (c *Connection) address(port int) string {
	if c.Transport == "ipc" {
		return fmt.Sprintf("ipc://%s-%d", c.IP, port)
	}
	ip := c.IP
	if ip == "*" {
		ip = ""
	}
	return "tcp://" + net.JoinHostPort(ip, strconv.Itoa(port))
}
