import { data } from './data.ts'
import { testDays } from './test-days.ts'

testDays(data)
