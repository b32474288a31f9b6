export { serveLanguage } from './serve.ts'
export type { ServerWorld } from './world.ts'
