package install

// Version is the release, and the only place that says it. A build can set another: -ldflags "-X gaucho/install.Version=1.2.3".
var Version = "0.1.0"
