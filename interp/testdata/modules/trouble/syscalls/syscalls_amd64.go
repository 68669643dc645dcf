package syscalls

const getpid = 39
