/** Runs one benchmark that `npm test` leaves out. */
import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { include: ['test/bench/contract-load.ts'], pool: 'forks' } })
