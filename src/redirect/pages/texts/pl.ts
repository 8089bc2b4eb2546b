import type { PageTexts } from './en.ts';

export const pl: PageTexts = {
  notFound: {
    title: 'Nie znaleziono linku',
    nothing: 'Ta strona nie istnieje.',
    code: 'Krótki link {code} tutaj nie istnieje. Sprawdź pisownię lub poproś o nowy link osobę, która go udostępniła. Wielkość liter nie ma znaczenia.',
    create: 'Utwórz ten link',
  },
  notStarted: {
    title: 'Ten link nie jest jeszcze aktywny',
    text: 'Właściciel ustawił datę rozpoczęcia. Spróbuj ponownie później.',
  },
  exhausted: {
    title: 'Ten link osiągnął limit kliknięć',
    text: 'Poproś o nowy link osobę, która go udostępniła.',
  },
  unavailable: {
    title: 'Ten link jest niedostępny',
    text: 'Właściciel wyłączył go lub ograniczył, kto może go otworzyć.',
  },
  unfilled: {
    title: 'Ten link jest niekompletny',
    text: 'Dodaj słowo lub liczbę po krótkim linku, na przykład /link/slowo. Zapytaj osobę, która go udostępniła, co należy dodać.',
  },
  refused: {
    title: 'Ten adres URL jest niedozwolony',
    text: 'Z tekstem po krótkim linku celem jest adres URL, na który ten link nie może przekierować.',
  },
  tooLong: {
    title: 'Ten adres URL jest za długi',
    text: 'Z tekstem po krótkim linku docelowy adres URL jest za długi. Użyj krótszego tekstu.',
  },
  once: {
    title: 'Tego linku możesz użyć tylko raz',
    text: 'Naciśnij przycisk, aby otworzyć stronę docelową. Potem link przestanie działać. Aby użyć go później, zamknij tę stronę.',
  },
  exclude: {
    title: 'Wykluczyć własne wizyty?',
    text: 'Krótkie linki nadal przekierowują, ale wizyty z tej przeglądarki nie są już liczone na Twoim koncie.',
  },
  count: {
    title: 'Ponownie liczyć własne wizyty?',
    text: 'Wizyty z tej przeglądarki są znów liczone na Twoim koncie.',
  },
  password: {
    title: 'Ten link jest chroniony hasłem',
    text: 'Wpisz hasło, aby kontynuować. Jeśli go nie znasz, zapytaj osobę, która udostępniła link.',
    label: 'Hasło',
    wrong: 'Nieprawidłowe hasło. Wielkość liter ma znaczenie.',
  },
  app: {
    title: 'Otworzyć w aplikacji?',
    text: 'Ten link otwiera się w aplikacji. Jeśli nie masz aplikacji, przejdź na stronę internetową.',
    open: 'Otwórz aplikację',
    store: 'Pobierz aplikację',
    web: 'Przejdź do {host}',
  },
  failed: { title: 'Coś poszło nie tak', status: 'Błąd {status}' },
  root: {
    title: 'Krótkie linki',
    heading: 'To jest usługa krótkich linków',
    text: 'Każdy krótki link przekierowuje na adres URL wybrany przez właściciela.',
    page: 'Szukasz strony?',
    pageHelp: 'Wpisz cały krótki link, łącznie z częścią po ukośniku.',
    unsure: 'Nie wiesz, dokąd prowadzi link?',
    unsureHelp: 'Dodaj {plus} na końcu krótkiego linku, aby zobaczyć cel bez otwierania go.',
    making: 'Chcesz tworzyć krótkie linki?',
    docs: 'dokumentację',
    docsHelp: 'Zobacz {docs}. Możesz tam wypróbować każde wywołanie API.',
    api: 'opis API',
    apiHelp: 'Programy mogą odczytać {api}.',
  },
  about: 'O tych krótkich linkach',
  preview: {
    title: 'Podgląd {code}',
    heading: 'Ten link przekierowuje do {host}',
    text: 'Krótki link {code} przekierowuje na ten adres URL:',
    template: 'Cel linku {code} jest uzupełniany tekstem po krótkim linku:',
    go: 'Przejdź do {host}',
    made: 'Utworzono: {date}.',
  },
};
