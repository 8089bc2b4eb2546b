import type { PageTexts } from './en.ts';

export const es: PageTexts = {
  notFound: {
    title: 'Este enlace no existe',
    nothing: 'No hay nada en esta dirección.',
    code: 'Aquí no existe el enlace corto {code}. Compáralo letra por letra con el original o pide uno nuevo. No importan las mayúsculas ni las minúsculas.',
  },
  expired: {
    title: 'Este enlace ha caducado',
    text: 'Su propietario le puso una fecha límite. Pídele uno nuevo.',
  },
  notStarted: {
    title: 'Este enlace aún no está activo',
    text: 'Su propietario le puso una fecha de inicio. Vuelve más tarde.',
  },
  exhausted: {
    title: 'Este enlace está agotado',
    text: 'Su propietario limitó el número de visitas. Pídele uno nuevo.',
  },
  unavailable: {
    title: 'Este enlace no está disponible',
    text: 'Su propietario lo ha desactivado o no lo ofrece aquí.',
  },
  unfilled: {
    title: 'Falta algo detrás de este enlace',
    text: 'Detrás del enlace corto tiene que ir algo más, como una palabra o un número: /enlace/palabra. Pregunta donde lo conseguiste.',
  },
  refused: {
    title: 'Esta dirección no está permitida',
    text: 'Con lo que hay detrás del enlace corto se forma una dirección a la que no puede redirigir.',
  },
  tooLong: {
    title: 'Esta dirección es demasiado larga',
    text: 'Con lo que hay detrás del enlace corto, la dirección de destino es demasiado larga. Escribe menos.',
  },
  once: {
    title: 'Este enlace funciona una sola vez',
    text: 'Te redirige al pulsar el botón y nunca más. Si solo querías mirar, cierra esta página.',
  },
  password: {
    title: 'Este enlace tiene contraseña',
    text: 'Escríbela para continuar. Si no la conoces, pídela a quien te dio el enlace.',
    label: 'Contraseña',
    wrong: 'La contraseña no es correcta. Se distinguen mayúsculas y minúsculas.',
  },
  continue: 'Continuar',
  contact: 'Contacto: {contact}',
  failed: { title: 'Algo ha fallado', status: 'Error {status}' },
  root: {
    title: 'Enlaces cortos',
    heading: 'Aquí viven los enlaces cortos',
    text: 'Cada uno redirige a una dirección que ha elegido su propietario.',
    page: '¿Buscas una página?',
    pageHelp: 'Escribe el enlace corto completo. La parte después de la barra indica el destino.',
    unsure: '¿Dudas de un enlace?',
    unsureHelp: 'Añade un {plus} al final. Verás adónde lleva sin ir allí.',
    making: '¿Quieres crear enlaces cortos?',
    docs: 'documentación',
    docsHelp: 'La {docs} explica cómo, y permite probar cada llamada.',
    api: 'descripción de la API',
    apiHelp: 'La {api} lo explica a los programas.',
  },
  about: 'Acerca de estos enlaces cortos',
  preview: {
    title: 'Adónde lleva {code}',
    heading: 'Este enlace lleva a {host}',
    text: 'El enlace corto {code} lleva a esta dirección:',
    template: 'El destino de {code} se completa con lo que hay detrás del enlace corto:',
    go: 'Ir a {host}',
    made: 'Creado el {date}.',
  },
};
