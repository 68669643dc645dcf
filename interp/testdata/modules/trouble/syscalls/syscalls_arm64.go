package syscalls

const getpid = 172
