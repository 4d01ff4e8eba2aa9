import { type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { chooseLanguage, chosenLanguage, LANGUAGES, type Language } from '../i18n/i18n.ts'

const SCHEMES: readonly MantineColorScheme[] = ['light', 'dark', 'auto']

/** The languages, each in its own words. */
export function LanguageItems() {
  const { t } = useTranslation()
  // A press of the one that is chosen has no effect.
  const chosen = chosenLanguage()
  const languages = Object.entries(LANGUAGES) as [Language, string][]
  return (
    <>
      <Menu.Label>{t('shell.language')}</Menu.Label>
      {languages.map(([language, name]) => (
        <Choice
          key={language}
          name={name}
          lang={language}
          isChosen={chosen === language}
          choose={() => void chooseLanguage(language)}
        />
      ))}
    </>
  )
}

export function SchemeItems() {
  const { t } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <>
      <Menu.Label>{t('shell.scheme')}</Menu.Label>
      {SCHEMES.map((scheme) => (
        <Choice
          key={scheme}
          name={t(`shell.${scheme}`)}
          isChosen={colorScheme === scheme}
          choose={() => setColorScheme(scheme)}
        />
      ))}
    </>
  )
}

type ChoiceProps = { name: string; lang?: string; isChosen: boolean; choose: () => void }

/** One of several, which a reader of the screen hears as chosen or not. */
const Choice = ({ name, lang, isChosen, choose }: ChoiceProps) => (
  <Menu.RadioItem
    value={name}
    checked={isChosen}
    checkIcon={<IconCheck size={16} aria-hidden />}
    onChange={choose}
    closeMenuOnClick
    {...(lang && { lang })}
  >
    {name}
  </Menu.RadioItem>
)
