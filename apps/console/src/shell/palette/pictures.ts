/** The icon of each sort of object: that of the page that lists it. */

import {
  type Icon,
  IconAdjustments,
  IconArrowsExchange,
  IconCreditCard,
  IconHistory,
  IconPackages,
  IconReceipt,
  IconSend,
  IconStack2,
  IconUser,
  IconWallet,
  IconWebhook,
} from '@tabler/icons-react'
import type { FoundKind } from './choices.ts'

export const pictures: Readonly<Record<FoundKind, Icon>> = {
  USER: IconUser,
  CARD: IconCreditCard,
  ACCOUNT: IconWallet,
  CARD_PRODUCT: IconStack2,
  TRANSACTION: IconArrowsExchange,
  BULK_ISSUANCE: IconPackages,
  BALANCE_LIMIT: IconAdjustments,
  VELOCITY_LIMIT: IconAdjustments,
  COUNTRY_LIST: IconAdjustments,
  MCC_LIST: IconAdjustments,
  MERCHANT_LIST: IconAdjustments,
  BACKTEST: IconHistory,
  WEBHOOK: IconWebhook,
  DELIVERY: IconSend,
  ORDER: IconReceipt,
}
