export { createTokenReader, type TokenReader } from './authenticate.ts'
export { BootstrapTokenError, ensureBootstrapToken } from './bootstrap.ts'
