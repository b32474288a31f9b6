/** The client of the service for programs. */
export {
  type Answer,
  type CallOptions,
  type ClientOptions,
  createHostedClient,
  type HostedClient,
} from './client.ts'
export { HostedError, Unreachable, UnreadableAnswer } from './errors.ts'
export {
  type Input,
  type Operation,
  type PackWrapper,
  type UploadResult,
  uploadContextPack,
} from './operations.ts'
