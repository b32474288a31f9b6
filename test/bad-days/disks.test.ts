import { disks } from './disks.ts'
import { testDays } from './test-days.ts'

testDays(disks)
