/** What programs use to talk to the service. */
export {
  type Answer,
  type CallOptions,
  type ClientOptions,
  createHostedClient,
  type HostedClient,
  type Input,
  type OperationName,
} from './client.ts'
export { HostedError, Unreachable, UnreadableAnswer } from './errors.ts'
export type * from './operations.ts'
