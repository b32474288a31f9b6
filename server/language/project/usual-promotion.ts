/** How an environment is promoted that says nothing of it. */
import { defaultsOf } from '../schema/read-value.ts'
import { promotionShape } from '../schema/settings-schema.ts'
import type { PromotionSettings } from './project.ts'

export const usualPromotion = defaultsOf(promotionShape) as unknown as PromotionSettings
