# 주소로 로그인하는 페이지.

enter-title = 로그인
enter-hint = 이 주소는 한 번만 쓸 수 있어요. 이 브라우저에서 계속하려면 버튼을 누르세요.
enter-go = 계속
enter-used = 이미 쓴 주소이거나 너무 오래되었어요. 디스코드에서 `/seat`나 `/desk`를 쓰거나 봇이 실행되는 곳에서 `chatbot desk`를 실행하면 새 주소가 나와요.
enter-lost = 봇이 응답하지 않아요. 실행 중인지 확인하고 다시 시도하세요.
enter-theme = 어둡게 또는 밝게
enter-guests-title = 초대받은 사람만 볼 수 있는 페이지예요
enter-guests = 봇을 운영하는 사람에게 시작할 때 나온 초대 주소를 받아 여세요.
