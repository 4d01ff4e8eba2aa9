/** The pages of payouts as one module, so that what a first page knows of them is short. */

import { ShopDisputePage, ShopDisputes } from '../shop_disputes/disputes.tsx'
import { PayoutPage } from './payout.tsx'
import { Payouts } from './payouts.tsx'
import { StatementPage } from './statement.tsx'

export const All = () => <Payouts />
export const One = () => <PayoutPage />
export const Days = () => <StatementPage />
export const Disputes = () => <ShopDisputes />
export const Dispute = () => <ShopDisputePage />
