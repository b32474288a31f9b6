import { servers } from './servers.ts'
import { testDays } from './test-days.ts'

testDays(servers)
