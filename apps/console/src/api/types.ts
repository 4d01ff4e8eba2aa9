/** The objects of the APIs, from the types that the build makes of docs/openapi. */

import type { components as Issuing, operations as IssuingCalls } from './schema/issuing'
import type { components as Merchant, operations as MerchantCalls } from './schema/merchant'
import type { components as Portal } from './schema/portal'

export type Transaction = Issuing['schemas']['Transaction']
export type Dispute = Issuing['schemas']['Dispute']
export type DisputeFile = Issuing['schemas']['DisputeFile']
export type Decision = Issuing['schemas']['SimulatedDecision']
export type AuthorizationStatistics = Issuing['schemas']['AuthorizationStatistics']
export type FoundObject = Issuing['schemas']['FoundObject']
export type Trace = Issuing['schemas']['TransactionTrace']
export type Check = Trace['checks'][number]
export type User = Issuing['schemas']['User']
export type UserStatusChange = Issuing['schemas']['UserStatusChange']
export type Identification = Issuing['schemas']['Identification']
export type IdentificationFile = Issuing['schemas']['IdentificationFile']
export type KycRequest = Issuing['schemas']['KycRequest']
export type Review = Issuing['schemas']['Review']
export type ScreeningMatch = Issuing['schemas']['ScreeningMatch']
export type Card = Issuing['schemas']['Card']
export type Account = Issuing['schemas']['Account']
export type AccountEntry = Issuing['schemas']['AccountEntry']
export type CardProduct = Issuing['schemas']['CardProduct']
export type StopOrder = Issuing['schemas']['StopOrder']
export type WalletToken = Issuing['schemas']['Token']
export type Widget = NonNullable<WidgetBody>['content']['application/json']['widget']
export type VelocityLimit = Issuing['schemas']['VelocityLimit']
export type AvailableVelocity = Issuing['schemas']['AvailableVelocity']
export type BalanceLimit = Issuing['schemas']['BalanceLimit']
export type FundsMovement = Issuing['schemas']['FundsMovement']
export type Charge = Issuing['schemas']['Charge']
export type AuditRecord =
  IssuingCalls['listAuditRecords']['responses'][200]['content']['application/json']['data'][number]
export type Usage = Issuing['schemas']['Usage']
export type Settings = Issuing['schemas']['TenantSettings']
export type SettingsChanges =
  IssuingCalls['updateSettings']['requestBody']['content']['application/json']
export type CardOrder = Issuing['schemas']['CardOrder']
export type BulkIssuance = Issuing['schemas']['BulkIssuance']
export type CreatedBulkIssuance = Issuing['schemas']['CreatedBulkIssuance']
export type Tenant = Issuing['schemas']['Tenant']
export type TenantKey = Issuing['schemas']['ApiKey']
export type Rate = Issuing['schemas']['Rate']
export type Shop = Issuing['schemas']['Merchant']
export type OperatorPayout = Issuing['schemas']['OperatorPayout']
export type MerchantKey = Issuing['schemas']['MerchantKey']
export type Mail = Issuing['schemas']['Mail']
export type Process = Issuing['schemas']['Process']
export type Network = Issuing['schemas']['Network']
export type Job = Issuing['schemas']['Job']
export type Reconciliation = Issuing['schemas']['Reconciliation']
export type Settlement = Issuing['schemas']['Settlement']
export type SettlementSummary = Issuing['schemas']['SettlementSummary']
export type Clearing = Issuing['schemas']['Clearing']
export type ClearingRecord = Issuing['schemas']['ClearingRecord']
export type Health = Issuing['schemas']['Health']
export type Key = Portal['schemas']['Key']
export type Session = Portal['schemas']['PresentSession']
export type Member = Portal['schemas']['Member']
export type Role = Member['role']
export type Invitation = Portal['schemas']['Invitation']
export type SessionOfMember = Portal['schemas']['Session']
export type Passkey = Portal['schemas']['Passkey']
export type TotpSecret = Portal['schemas']['TotpSecret']
export type Registered = Portal['schemas']['Registered']

export type ProductChanges =
  IssuingCalls['updateCardProduct']['requestBody']['content']['application/json']
type WidgetBody = IssuingCalls['createWidgetToken']['requestBody']

/** A page of a list (D-4). */
export type ListPage<Item> = { data: Item[]; after?: string; has_more: boolean }
export type Webhook = Issuing['schemas']['Webhook']
export type WebhookEvent =
  IssuingCalls['createWebhook']['requestBody']['content']['application/json']['events'][number]
export type Delivery = Issuing['schemas']['Delivery']
export type DeliveryWithHistory = Issuing['schemas']['DeliveryWithHistory']
export type WebhookReceiver = Issuing['schemas']['WebhookReceiver']
export type ReceivedRequest = Issuing['schemas']['ReceivedRequest']
export type Event = Issuing['schemas']['Event']
export type Order = Merchant['schemas']['Order']
export type OrderTotals = Merchant['schemas']['OrderTotals']
export type OrderOperation = Merchant['schemas']['OrderOperation']
export type ShopDispute = Merchant['schemas']['MerchantDispute']
export type Payout = Merchant['schemas']['Payout']
export type Statement = Merchant['schemas']['Statement']
export type WebhookEndpoint = Merchant['schemas']['WebhookEndpoint']
export type KeptCard = Merchant['schemas']['KeptCard']
export type EndpointEvent =
  MerchantCalls['createEndpoint']['requestBody']['content']['application/json']['events'][number]
export type EndpointDelivery = Merchant['schemas']['WebhookDelivery']
export type CountryList = Listed<'listAllowedCountryLists'>
export type MccList = Listed<'listAllowedMccLists'>
export type MerchantList = Listed<'listAllowedMerchantLists'>
export type ShadowReport = Issuing['schemas']['ShadowReport']
export type Backtest = Issuing['schemas']['Backtest']
export type Proposal = Backtest['proposal']
export type BacktestBody =
  IssuingCalls['createBacktest']['requestBody']['content']['application/json']

/** An item of a list whose object has no name in the document. */
type Listed<
  Call extends 'listAllowedCountryLists' | 'listAllowedMccLists' | 'listAllowedMerchantLists',
> = IssuingCalls[Call]['responses'][200]['content']['application/json']['data'][number]
export type WireMessage = Issuing['schemas']['WireMessage']
export type WireField = WireMessage['fields'][number]
export type TransactionEntry = Issuing['schemas']['TransactionEntry']
export type SimulatedAuthorization =
  IssuingCalls['simulateAuthorization']['requestBody']['content']['application/json']
