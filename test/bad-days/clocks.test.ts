import { clocks } from './clocks.ts'
import { testDays } from './test-days.ts'

testDays(clocks)
