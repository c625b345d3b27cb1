"""usage: drive-page.py page.html driven.html: adds a script that uses the page as a reader
would and writes what it sees to the end of the document."""
import sys

SCRIPT = """
<script>
window.addEventListener('load', () => {
  const all = selector => [...document.querySelectorAll(selector)];
  const node = all('.node').find(group => group.textContent.startsWith('fdiv'));
  node.dispatchEvent(new MouseEvent('click', {bubbles: true}));
  const marked = [node, ...all('.schedule span.chosen, .pe.chosen, pre .chosen')]
      .filter(element => element.classList.contains('chosen'));
  const routes = () => all('.route').filter(path => path.style.display !== 'none').length;
  const before = routes(), slider = document.querySelector('input[type=range]');
  slider.value = 1;
  slider.dispatchEvent(new Event('input'));
  const text = document.querySelector('pre').textContent;
  const seen = [
    'drawn ' + document.body.dataset.drawn,
    'loops ' + all('section').length,
    'sources ' + (text.includes('ACIS_HANDLER') ? 'ok' : 'missing'),
    'nodes ' + all('.node').length,
    'edges ' + all('.edge').length,
    'marked fdiv in ' + marked.length + ' places',
    'line ' + (document.querySelector('pre .chosen') || {dataset: {}}).dataset.line,
    'routes ' + (routes() > 0 && routes() < before ? 'some of all' : routes() + ' of ' + before),
    'script text ' + (text.includes('keep <\\/script> and <b> as text') ? 'kept' : 'lost')];
  document.body.append('driven: ' + seen.join(', '));
});
</script>
"""

page = open(sys.argv[1], encoding="utf-8").read()
open(sys.argv[2], "w", encoding="utf-8").write(page.replace("</body>", SCRIPT + "</body>"))
