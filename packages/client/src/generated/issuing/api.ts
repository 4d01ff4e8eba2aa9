/** Every group of the document, and what its requests need. */
import type { Transport } from '../../core/transport.ts'
import { AccountsGroup } from './groups/accounts.ts'
import { AuditRecordsGroup } from './groups/audit_records.ts'
import { BacktestsGroup } from './groups/backtests.ts'
import { CardProductsGroup } from './groups/card_products.ts'
import { CardsGroup } from './groups/cards.ts'
import { ChallengesGroup } from './groups/challenges.ts'
import { ChargesGroup } from './groups/charges.ts'
import { DisputesGroup } from './groups/disputes.ts'
import { EventsGroup } from './groups/events.ts'
import { HealthGroup } from './groups/health.ts'
import { IdentificationsGroup } from './groups/identifications.ts'
import { KycGroup } from './groups/kyc.ts'
import { LimitsGroup } from './groups/limits.ts'
import { ListsGroup } from './groups/lists.ts'
import { OperatorGroup } from './groups/operator.ts'
import { PinGroup } from './groups/pin.ts'
import { SearchGroup } from './groups/search.ts'
import { SettingsGroup } from './groups/settings.ts'
import { SimulationGroup } from './groups/simulation.ts'
import { StopOrdersGroup } from './groups/stop_orders.ts'
import { TransactionsGroup } from './groups/transactions.ts'
import { TransfersGroup } from './groups/transfers.ts'
import { UsersGroup } from './groups/users.ts'
import { WalletTokensGroup } from './groups/wallet_tokens.ts'
import { WebhooksGroup } from './groups/webhooks.ts'

export const api = {
  prefix: '/v1',
  idempotencyHeader: 'x-bezant-idempotency-key',
  apiKeyHeader: 'apikey',
  sessionCookie: 'bezant_session',
}

export class Groups {
  /** People and companies that hold cards. */
  readonly users: UsersGroup
  /** Identity documents of users and their files. */
  readonly identifications: IdentificationsGroup
  /** Identity checks and KYC and KYB requests. */
  readonly kyc: KycGroup
  /** Terms, number ranges and settings of cards. */
  readonly cardProducts: CardProductsGroup
  /** Virtual and physical cards, one by one and in bulk. */
  readonly cards: CardsGroup
  /** Countries, MCCs and merchants that may be paid. */
  readonly lists: ListsGroup
  /** Decisions that proposed controls would have made. */
  readonly backtests: BacktestsGroup
  /** Merchants whose recurring payments are declined. */
  readonly stopOrders: StopOrdersGroup
  /** The PIN of a card. */
  readonly pin: PinGroup
  /** Cards in wallets of phones and watches. */
  readonly walletTokens: WalletTokensGroup
  /** Account balances, statements and funds. */
  readonly accounts: AccountsGroup
  /** Charges that accounts pay to the program. */
  readonly charges: ChargesGroup
  /** Balance limits and velocity limits. */
  readonly limits: LimitsGroup
  /** Movements of money between two accounts. */
  readonly transfers: TransfersGroup
  /** Payments that the card network authorized and cleared. */
  readonly transactions: TransactionsGroup
  /** Payments that cardholders confirm by a code or in an app. */
  readonly challenges: ChallengesGroup
  /** Settled payments that cardholders contest. */
  readonly disputes: DisputesGroup
  /** Objects of every kind by a known text of theirs. */
  readonly search: SearchGroup
  /** Settings of the calling tenant. */
  readonly settings: SettingsGroup
  /** Whether every part of the platform is at work. */
  readonly health: HealthGroup
  /** Records of changes, and of reads of card data. */
  readonly auditRecords: AuditRecordsGroup
  /** Subscriptions to events and their deliveries. */
  readonly webhooks: WebhooksGroup
  /** Events in the order in which they happened, and each kind as a subscription receives it. */
  readonly events: EventsGroup
  /** The outside world in the sandbox: network, clock, embosser. */
  readonly simulation: SimulationGroup
  /** Tenants, keys and decisions of the operator. */
  readonly operator: OperatorGroup

  constructor(transport: Transport) {
    this.users = new UsersGroup(transport)
    this.identifications = new IdentificationsGroup(transport)
    this.kyc = new KycGroup(transport)
    this.cardProducts = new CardProductsGroup(transport)
    this.cards = new CardsGroup(transport)
    this.lists = new ListsGroup(transport)
    this.backtests = new BacktestsGroup(transport)
    this.stopOrders = new StopOrdersGroup(transport)
    this.pin = new PinGroup(transport)
    this.walletTokens = new WalletTokensGroup(transport)
    this.accounts = new AccountsGroup(transport)
    this.charges = new ChargesGroup(transport)
    this.limits = new LimitsGroup(transport)
    this.transfers = new TransfersGroup(transport)
    this.transactions = new TransactionsGroup(transport)
    this.challenges = new ChallengesGroup(transport)
    this.disputes = new DisputesGroup(transport)
    this.search = new SearchGroup(transport)
    this.settings = new SettingsGroup(transport)
    this.health = new HealthGroup(transport)
    this.auditRecords = new AuditRecordsGroup(transport)
    this.webhooks = new WebhooksGroup(transport)
    this.events = new EventsGroup(transport)
    this.simulation = new SimulationGroup(transport)
    this.operator = new OperatorGroup(transport)
  }
}
