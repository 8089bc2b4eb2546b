import type { PageTexts } from './en.ts';

export const es: PageTexts = {
  notFound: {
    title: 'Enlace no encontrado',
    nothing: 'Esta página no existe.',
    code: 'El enlace corto {code} no existe aquí. Comprueba que esté bien escrito o pide un enlace nuevo a quien lo compartió. No importan las mayúsculas ni las minúsculas.',
    create: 'Crear este enlace',
  },
  notStarted: {
    title: 'Este enlace aún no está activo',
    text: 'Su propietario ha fijado una fecha de inicio. Vuelve a intentarlo más tarde.',
  },
  exhausted: {
    title: 'Este enlace ha alcanzado su límite de clics',
    text: 'Pide un enlace nuevo a quien lo compartió.',
  },
  unavailable: {
    title: 'Este enlace no está disponible',
    text: 'Su propietario lo ha desactivado o ha limitado quién puede abrirlo.',
  },
  unfilled: {
    title: 'Este enlace está incompleto',
    text: 'Añade una palabra o un número después del enlace corto, por ejemplo /enlace/palabra. Pregunta a quien lo compartió qué debes añadir.',
  },
  refused: {
    title: 'Esta URL no está permitida',
    text: 'Con el texto que sigue al enlace corto, el destino es una URL a la que este enlace no puede redirigir.',
  },
  tooLong: {
    title: 'Esta URL es demasiado larga',
    text: 'Con el texto que sigue al enlace corto, la URL de destino es demasiado larga. Usa menos texto.',
  },
  once: {
    title: 'Solo puedes usar este enlace una vez',
    text: 'Pulsa el botón para abrir el destino. Después, el enlace dejará de funcionar. Para usarlo más tarde, cierra esta página.',
  },
  exclude: {
    title: '¿Excluir tus propias visitas?',
    text: 'Los enlaces cortos siguen redirigiendo, pero las visitas de este navegador ya no se cuentan en tu cuenta.',
  },
  count: {
    title: '¿Volver a contar tus propias visitas?',
    text: 'Las visitas de este navegador se vuelven a contar en tu cuenta.',
  },
  password: {
    title: 'Este enlace está protegido con contraseña',
    text: 'Introduce la contraseña para continuar. Si no la conoces, pídesela a quien compartió el enlace.',
    label: 'Contraseña',
    wrong: 'Contraseña incorrecta. Distingue entre mayúsculas y minúsculas.',
  },
  app: {
    title: '¿Abrir en la app?',
    text: 'Este enlace se abre en una app. Si no la tienes instalada, continúa en la web.',
    open: 'Abrir la app',
    store: 'Descargar la app',
    web: 'Continuar a {host}',
  },
  failed: { title: 'Se ha producido un error', status: 'Error {status}' },
  root: {
    title: 'Enlaces cortos',
    heading: 'Este es un servicio de enlaces cortos',
    text: 'Cada enlace corto redirige a una URL elegida por su propietario.',
    page: '¿Buscas una página?',
    pageHelp: 'Introduce el enlace corto completo, incluida la parte que va después de la barra.',
    unsure: '¿No sabes adónde lleva un enlace?',
    unsureHelp: 'Añade {plus} al final de un enlace corto para ver el destino sin abrirlo.',
    making: '¿Quieres crear enlaces cortos?',
    docs: 'documentación',
    docsHelp: 'Consulta la {docs}. Allí puedes probar todas las llamadas a la API.',
    api: 'descripción de la API',
    apiHelp: 'Los programas pueden leer la {api}.',
  },
  about: 'Acerca de estos enlaces cortos',
  preview: {
    title: 'Vista previa de {code}',
    heading: 'Este enlace redirige a {host}',
    text: 'El enlace corto {code} redirige a esta URL:',
    template: 'El destino de {code} se completa con el texto que sigue al enlace corto:',
    go: 'Continuar a {host}',
    made: 'Creado el {date}.',
  },
};
