import { filesGroup } from './files.ts'
import { testDays } from './test-days.ts'

testDays(filesGroup)
