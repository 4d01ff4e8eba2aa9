/**
 * Every field of a user that a client sets, and which types of user have it (spec "User", D-16).
 * Schemas, checks, columns and answers are all made from these tables.
 */

export const userTypes = [
  'INDIVIDUAL',
  'BUSINESS',
  'DIRECTOR',
  'SIGNATURE',
  'SHAREHOLDER',
  'SHAREHOLDER_BUSINESS',
] as const
export type UserType = (typeof userTypes)[number]

/**
 * The kinds of values of a field. `word` is an enumerated value without a list of values; `nations`
 * is free text in which country codes are answered as alpha-3; `date_or_empty` may be an empty
 * text; `money` is a decimal number without a currency.
 */
export type Scalar =
  | 'name'
  | 'line'
  | 'note'
  | 'word'
  | 'email'
  | 'phone'
  | 'country'
  | 'nations'
  | 'date'
  | 'date_or_empty'
  | 'flag'
  | 'money'

/** A field is a scalar or an object of scalars; objects merge member by member (D-104). */
export type Kind = Scalar | Readonly<Record<string, Scalar>>

const address = {
  address_line1: 'line',
  address_line2: 'line',
  city: 'name',
  state: 'name',
  postal_code: 'name',
  country: 'country',
} as const

const common = {
  title: 'word',
  first_name: 'name',
  middle_name: 'name',
  last_name: 'name',
  native_name: 'name',
  date_of_birth: 'date',
  email: 'email',
  mobile: 'phone',
  phone_number: 'phone',
  address,
  gender: 'word',
  preferred_language: 'word',
  place_of_birth: 'name',
  nationality: 'nations',
  country_residence: 'country',
  country_tax_residence: 'country',
  relationship_with_parent: 'word',
  employment_type: 'word',
  employment_title: 'name',
  monthly_salary: 'money',
  company_name: 'name',
  company_address: address,
  company_country: 'country',
  industry_type: 'word',
  expected_monthly_balance: 'money',
  vip: 'flag',
} as const

const officer = { designation: 'name' } as const

const shareholder = {
  local_address: address,
  shares_percentage: 'name',
  share_controller_name: 'name',
} as const

const license = { license_type: 'name', license_expiry: 'date' } as const

const business = {
  business_legal_name: 'name',
  business_dba_name: 'name',
  date_established: 'date',
  website: 'line',
  incorporation_type: 'word',
  entity_registered_no: 'name',
  old_entity_name: 'name',
  old_entity_ops_start_date: 'date_or_empty',
  old_entity_ops_end_date: 'date_or_empty',
  regulated_entity: 'flag',
  regulator_name: 'name',
  business_activities: 'note',
  other_operated_countries: 'nations',
  tax_residence_country: 'country',
  tin: 'name',
  external_auditor_name: 'name',
  group_additional_info: {
    group_entity: 'flag',
    independent_entity: 'flag',
    special_investment: 'flag',
    entity_details: 'note',
  },
  pep_check_info: {
    pri_pep_check: 'flag',
    pri_pep_check_name: 'name',
    sec_pep_check: 'flag',
    sec_pep_check_name: 'name',
  },
  no_of_employees: 'name',
  accept_cash_check: 'flag',
  annual_turnover: 'money',
  source_of_funds: 'line',
  source_fund_uae: 'flag',
  due_diligence_declaration: {
    bankruptcy_declaration: 'flag',
    disciplinary_declaration: 'flag',
    fraud_aml_declaration: 'flag',
    disqualification_declaration: 'flag',
    conviction_accusition_declaration: 'flag',
    breach_of_law_declaration: 'flag',
  },
} as const

export const fields = { ...common, ...officer, ...shareholder, ...license, ...business } as const
export type FieldName = keyof typeof fields

/** Fields as they are stored; null clears one, an absent one does not change. */
export type Contents = { [Name in FieldName]?: unknown }

/** The names in the order of the tables. */
export const fieldNames = Object.keys(fields).filter(isFieldName)

function isFieldName(name: string): name is FieldName {
  return Object.hasOwn(fields, name)
}

const groups: Record<UserType, readonly object[]> = {
  INDIVIDUAL: [common],
  BUSINESS: [common, business],
  DIRECTOR: [common, officer],
  SIGNATURE: [common, officer],
  SHAREHOLDER: [common, shareholder],
  // A business and a shareholder that are one entity, so it has what a business has.
  SHAREHOLDER_BUSINESS: [common, business, license],
}

export function belongsTo(type: UserType, name: FieldName): boolean {
  return groups[type].some((group) => Object.hasOwn(group, name))
}

/** The fields that a user of each type must have (D-16). */
export const required: Record<UserType, readonly FieldName[]> = {
  INDIVIDUAL: ['first_name'],
  BUSINESS: ['business_legal_name', 'business_dba_name'],
  DIRECTOR: ['first_name', 'last_name', 'designation'],
  SIGNATURE: ['first_name', 'last_name', 'designation'],
  SHAREHOLDER: ['first_name', 'last_name', 'shares_percentage'],
  SHAREHOLDER_BUSINESS: ['business_legal_name', 'license_type', 'license_expiry'],
}

/** The fields that may not change while KYC is enabled and the user is ACTIVE (D-21). */
export const lockedFields: readonly FieldName[] = [
  'first_name',
  'middle_name',
  'last_name',
  'native_name',
  'date_of_birth',
  'nationality',
  'place_of_birth',
  'business_legal_name',
  'entity_registered_no',
  'tin',
]

/** The lists of a business and the types that each contains (D-19, D-116). */
export const lists = {
  director_list: ['DIRECTOR'],
  signature_list: ['SIGNATURE'],
  shareholder_list: ['SHAREHOLDER', 'SHAREHOLDER_BUSINESS'],
} as const satisfies Record<string, readonly UserType[]>
export type ListName = keyof typeof lists

export const listNames = ['director_list', 'signature_list', 'shareholder_list'] as const

/** The most sub-users in each list (spec "Limits"). */
export const LIST_LENGTH_MAX = 10

/** The list of a business that contains sub-users of this type; undefined for other types. */
export function listOf(type: UserType): ListName | undefined {
  return listNames.find((name) => (lists[name] as readonly UserType[]).includes(type))
}
