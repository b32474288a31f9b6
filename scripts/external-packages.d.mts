export const externalPackages: readonly string[]
export const hostedPackages: readonly string[]
export const optionalNatives: readonly string[]
export const unusedDrivers: readonly string[]
