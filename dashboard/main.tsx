import { render } from 'preact';

const place = document.getElementById('app');
if (place !== null) render(<App />, place);

function App() {
  return (
    <main>
      <h1>Linkfold</h1>
    </main>
  );
}
