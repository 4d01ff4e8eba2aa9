import { Menu } from '@mantine/core'
import { IconBook, IconLogout, IconUserCog } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { endSession } from '../api/session.ts'
import { AccountButton } from './account_button.tsx'
import type { AccountMenuProps } from './account_menu.tsx'
import { LanguageItems, SchemeItems } from './choices.tsx'
import styles from './shell.module.css'

/** The menu itself, which opens as soon as it has been loaded. */
export function AccountItems({ email, role }: AccountMenuProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const leave = async () => {
    if (await endSession()) await navigate({ to: '/sign-in' })
  }
  return (
    <Menu
      position="bottom-end"
      width={256}
      classNames={{ itemIndicator: styles['mark'] ?? '' }}
      defaultOpened
      returnFocus
      // The menu is within the bar, which is a landmark. The focus is on the first entry, as in
      // each menu.
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <AccountButton email={email} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <bdi className={styles['email']}>{email}</bdi>
          {t(`roles.${role}`)}
        </Menu.Label>
        <Menu.Item
          component={Link}
          to="/account"
          leftSection={<IconUserCog size={16} aria-hidden />}
        >
          {t('pages.my_account')}
        </Menu.Item>
        <Menu.Item component="a" href="/docs" leftSection={<IconBook size={16} aria-hidden />}>
          {t('shell.docs')}
        </Menu.Item>
        <Menu.Divider />
        <LanguageItems />
        <Menu.Divider />
        <SchemeItems />
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void leave()}>
          {t('shell.sign_out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
