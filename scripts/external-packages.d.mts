export const externalPackages: readonly string[]
export const separateFiles: Readonly<Record<string, string>>
export const separatePackages: readonly string[]
export const hostedPackages: readonly string[]
export const optionalNatives: readonly string[]
export const unusedDrivers: readonly string[]
