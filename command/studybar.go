package command

// nowRun returns a study's Progress that reports to a bar what is run now, without the records that were there.
func nowRun(bar progress) func(done, total int) {
	had := -1
	return func(done, total int) {
		if had < 0 {
			had = done
		}
		if had == total { // nothing is left to run
			bar.Report(done, total)
			return
		}
		bar.Report(done-had, total-had)
	}
}
