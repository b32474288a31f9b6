/** The client of the service for programs. */
export * from './client.ts'
export * from './errors.ts'
export * from './operations.ts'
