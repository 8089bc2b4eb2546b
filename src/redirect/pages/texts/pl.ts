import type { PageTexts } from './en.ts';

export const pl: PageTexts = {
  notFound: {
    title: 'Ten link nie istnieje',
    nothing: 'Pod tym adresem nic nie ma.',
    code: 'Nie ma tu krótkiego linku {code}. Porównaj go znak po znaku z oryginałem albo poproś o nowy. Wielkość liter nie ma znaczenia.',
  },
  expired: {
    title: 'Ten link wygasł',
    text: 'Właściciel ustawił datę jego ważności. Poproś o nowy link.',
  },
  notStarted: {
    title: 'Ten link jeszcze nie działa',
    text: 'Właściciel ustawił czas, od którego link będzie działać. Wróć później.',
  },
  exhausted: {
    title: 'Limit użyć tego linku został wyczerpany',
    text: 'Właściciel ograniczył liczbę odwiedzin. Poproś o nowy link.',
  },
  unavailable: {
    title: 'Ten link jest niedostępny',
    text: 'Właściciel go wyłączył albo nie udostępnia go tutaj.',
  },
  unfilled: {
    title: 'Za tym linkiem czegoś brakuje',
    text: 'Za krótkim linkiem musi być coś jeszcze, na przykład słowo lub liczba: /link/slowo. Zapytaj tam, skąd go masz.',
  },
  refused: {
    title: 'Ten adres jest niedozwolony',
    text: 'To, co stoi za krótkim linkiem, daje adres, na który nie wolno mu przekierować.',
  },
  tooLong: {
    title: 'Ten adres jest za długi',
    text: 'Z tym, co stoi za krótkim linkiem, adres docelowy jest za długi. Podaj mniej.',
  },
  once: {
    title: 'Ten link działa tylko raz',
    text: 'Przekieruje po naciśnięciu przycisku i nigdy więcej. Jeśli to tylko sprawdzenie, zamknij tę stronę.',
  },
  password: {
    title: 'Ten link jest chroniony hasłem',
    text: 'Wpisz hasło, aby kontynuować. Jeśli go nie znasz, zapytaj tam, skąd masz link.',
    label: 'Hasło',
    wrong: 'Hasło jest nieprawidłowe. Wielkość liter ma znaczenie.',
  },
  continue: 'Kontynuuj',
  contact: 'Kontakt: {contact}',
  failed: { title: 'Coś poszło nie tak', status: 'Błąd {status}' },
  root: {
    title: 'Krótkie linki',
    heading: 'Tu mieszkają krótkie linki',
    text: 'Każdy z nich prowadzi do adresu wybranego przez właściciela.',
    page: 'Szukasz strony?',
    pageHelp: 'Wpisz cały krótki link. Część po ukośniku wskazuje cel.',
    unsure: 'Nie masz pewności co do linku?',
    unsureHelp: 'Dopisz {plus} na końcu. Zobaczysz, dokąd prowadzi, bez otwierania go.',
    making: 'Chcesz tworzyć krótkie linki?',
    docs: 'Dokumentacja',
    docsHelp: '{docs} pokazuje, jak to zrobić; każde wywołanie można w niej wypróbować.',
    api: 'Opis API',
    apiHelp: '{api} wyjaśnia to programom.',
  },
  about: 'O tych krótkich linkach',
  preview: {
    title: 'Dokąd prowadzi {code}',
    heading: 'Ten link prowadzi do {host}',
    text: 'Krótki link {code} prowadzi pod ten adres:',
    template: 'Cel linku {code} jest uzupełniany tym, co stoi za krótkim linkiem:',
    go: 'Przejdź do {host}',
    made: 'Utworzono: {date}.',
  },
};
