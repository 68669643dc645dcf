package main

func all(dirs []string) {}
