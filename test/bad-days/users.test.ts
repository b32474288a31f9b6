import { testDays } from './test-days.ts'
import { users } from './users.ts'

testDays(users)
