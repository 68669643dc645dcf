package kit

import (
	"fmt"
	"os"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

// system is the build of the system with its updates, and the kind of the processor.
func system() string {
	v := windows.RtlGetVersion()
	var update uint64
	if key, err := registry.OpenKey(registry.LOCAL_MACHINE, `SOFTWARE\Microsoft\Windows NT\CurrentVersion`, registry.QUERY_VALUE); err == nil {
		update, _, _ = key.GetIntegerValue("UBR")
		key.Close()
	}
	return fmt.Sprintf("%d.%d.%d.%d %s", v.MajorVersion, v.MinorVersion, v.BuildNumber, update, os.Getenv("PROCESSOR_IDENTIFIER"))
}
