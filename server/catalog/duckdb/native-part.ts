/** DuckDB is a native library, of which npm installs the part for one kind of machine, or none without a word. */
import { EngineMissing } from '../../language/engines/engine-missing.ts'

/** Loads what needs DuckDB. Throws EngineMissing where its native part is not there or is that of another machine. */
export async function withNativePart<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  try {
    return await load()
  } catch (error) {
    throw missingPart(error) ?? error
  }
}

const noMemory = /cannot allocate memory|failed to map segment/i

function missingPart(error: unknown): EngineMissing | undefined {
  if (!(error instanceof Error)) return undefined
  const reason = error.message.split('\n')[0] ?? ''
  const code = String((error as { readonly code?: unknown }).code)
  const isAbsent = /MODULE_NOT_FOUND/.test(code) && reason.includes('@duckdb/')
  const isOther = code === 'ERR_DLOPEN_FAILED' && !noMemory.test(reason)
  const isUnknown = reason.startsWith('Error loading duckdb native binding')
  if (!isAbsent && !isOther && !isUnknown) return undefined
  const { platform, arch } = process
  return new EngineMissing(
    isAbsent || isUnknown
      ? `DuckDB's native part for this machine (${platform}-${arch}) is not installed`
      : `DuckDB's native part cannot be loaded on this machine (${platform}-${arch}): ${reason}`,
    `Install svc again on this machine without --omit=optional; if the part is still missing, your npm registry does not have it, or DuckDB has none for ${platform}-${arch}.`,
  )
}
