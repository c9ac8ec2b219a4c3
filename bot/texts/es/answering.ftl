### What the oracle itself says: the whole text of answers that no language model writes, and the notices under answers.

answer-small-talk-greeting = ¡Hola! Pregúntame lo que quieras de la wiki, o escribe un par de palabras y te busco las páginas.
answer-small-talk-thanks = ¡De nada! Aquí sigo si te surge otra duda.
answer-small-talk-farewell = ¡Hasta pronto!
answer-small-talk-identity = Soy Oráculo. Leo la wiki de tu equipo y respondo con lo que dice, citando siempre las páginas; si no lo sé, te lo digo.
answer-small-talk-help =
    Puedo hacer dos cosas:

    - **Responder**: hazme una pregunta («¿Cómo añado una fuente?») y te contesto citando las páginas de la wiki. Luego puedes seguir preguntando sobre lo mismo.
    - **Buscar**: escribe unas pocas palabras («fuentes markdown») y te doy las páginas que las contienen.

    Con `/buscar` o `/preguntar` delante eliges tú. Lo que la wiki no cuente no me lo invento.
answer-empty = No me ha llegado ningún texto. Hazme una pregunta, o escribe un par de palabras y te busco las páginas.
answer-too-long = Tu pregunta tiene { $length } caracteres y puedo leer hasta { $limit }. ¿Me la resumes?
answer-abstained = No tengo info clara sobre eso, así que prefiero no inventar. Estas son las páginas más cercanas que he encontrado:
answer-no-matches = No he encontrado nada sobre eso en la wiki. Prueba con otras palabras; si debería estar, es un hueco que merece una página.
answer-listed =
    { $total ->
        [one] 1 página con esas palabras:
       *[other] { $total } páginas con esas palabras:
    }
answer-nothing-listed = Ninguna página contiene esas palabras.
answer-quotes = Esto es lo que dicen las páginas:
answer-completed = La respuesta se me ha cortado aquí. Esto es lo que dicen las páginas:
answer-failed = Algo ha fallado y no he podido responder. Vuelve a intentarlo dentro de un momento; el error ha quedado anotado.
answer-no-index = Todavía no he leído la wiki: falta ejecutar `oraculo ingest`.
answer-damaged-index = El índice de la wiki está dañado y no lo voy a usar. Se arregla con `oraculo ingest --full`.
answer-no-embedding = No puedo cargar el modelo que entiende las preguntas. `oraculo doctor` dice qué falta; mientras tanto, `/buscar` sí funciona.

extractive = Sin modelo de lenguaje: son frases literales de las páginas.
model-failed = El modelo de lenguaje no ha podido terminar; lo que va entre comillas son frases literales de las páginas.
over-budget = Se ha agotado el presupuesto de tokens de hoy: son frases literales de las páginas.
uncited = Esta respuesta no se apoya en ninguna página; las que siguen son solo las más cercanas.
unfinished = La respuesta ha llegado al límite de longitud y acaba antes de tiempo.
too-long = Puedes partirla en varias preguntas y seguir en la misma conversación.
