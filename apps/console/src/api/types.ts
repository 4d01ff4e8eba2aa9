/** The objects of the APIs, by the names that the pages have for them. */

import type {
  Backtest,
  CreateWebhookBody,
  CreateWidgetTokenBody,
  TransactionTrace,
  WireMessage,
} from '#client/index.ts'
import type { CreateEndpointBody } from '#client/merchant.ts'
import type { Member } from '#client/portal.ts'

export type {
  Account,
  AccountEntry,
  AllowedCountries as CountryList,
  AllowedMccs as MccList,
  AllowedMerchants as MerchantList,
  ApiKey as TenantKey,
  AuthorizationStatistics,
  AvailableVelocity,
  Backtest,
  BalanceLimit,
  BulkIssuance,
  Card,
  CardOrder,
  CardProduct,
  Charge,
  Clearing,
  ClearingRecord,
  CreateBacktestBody as BacktestBody,
  CreatedBulkIssuance,
  Delivery,
  DeliveryWithHistory,
  Dispute,
  DisputeFile,
  Event,
  FoundObject,
  FundsMovement,
  Health,
  Identification,
  IdentificationFile,
  Job,
  KycRequest,
  ListAuditRecordsItem as AuditRecord,
  Mail,
  Merchant as Shop,
  MerchantKey,
  Network,
  OperatorPayout,
  Page as ListPage,
  Process,
  Rate,
  ReceivedRequest,
  Reconciliation,
  Review,
  ScreeningMatch,
  Settlement,
  SettlementSummary,
  ShadowReport,
  SimulateAuthorizationBody as SimulatedAuthorization,
  SimulatedDecision as Decision,
  StopOrder,
  Tenant,
  TenantSettings as Settings,
  Token as WalletToken,
  Transaction,
  TransactionEntry,
  TransactionTrace as Trace,
  UpdateCardProductBody as ProductChanges,
  UpdateSettingsBody as SettingsChanges,
  Usage,
  User,
  UserStatusChange,
  VelocityLimit,
  Webhook,
  WebhookReceiver,
  WireMessage,
} from '#client/index.ts'
export type {
  KeptCard,
  MerchantDispute as ShopDispute,
  Order,
  OrderOperation,
  OrderTotals,
  Payout,
  Statement,
  WebhookDelivery as EndpointDelivery,
  WebhookEndpoint,
} from '#client/merchant.ts'
export type {
  Invitation,
  Key,
  Member,
  Passkey,
  PresentSession as Session,
  Registered,
  Session as SessionOfMember,
  TotpSecret,
} from '#client/portal.ts'

export type Check = TransactionTrace['checks'][number]
export type Widget = CreateWidgetTokenBody['widget']
export type Role = Member['role']
export type WebhookEvent = CreateWebhookBody['events'][number]
export type EndpointEvent = CreateEndpointBody['events'][number]
export type Proposal = Backtest['proposal']
export type WireField = WireMessage['fields'][number]
