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
  changeGlossaryRecord,
  createGlossaryRecord,
  deleteGlossaryRecord,
  exportGlossaryOf,
  type Input,
  listAssetsOf,
  type Operation,
  type PackWrapper,
  type StoreGlossary,
  type StorePlural,
  type StoreRecord,
  type UploadResult,
  uploadContextPack,
} from './operations.ts'
