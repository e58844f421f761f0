# 트위치 문이 스스로 하는 말.

twitch-whisper-first = 혼자만 볼 수 있는 대답이 있어요. 먼저 저에게 귓속말을 보내 주시면 귓속말로 답할 수 있어요.
twitch-whisper-barred = 혼자만 볼 답이 있는데 트위치가 귓속말을 허락하지 않아요. 채팅에서 !credits 처럼 물어봐 주세요.
twitch-muted = 트위치가 그 채팅에서 제가 말하는 것을 막아서 명령을 처리하지 않았고, 빠져나간 것도 없어요. 채팅에서 이 글이 보이면 다시 되는 것이니 한 번 더 입력해 주세요.
twitch-muted-table = 트위치가 그 채팅에서 제가 말하는 것을 막아서 게임 진행을 알릴 수 없어요. 게임은 끝까지 진행되고 정산도 그대로 돼요. 저에게 귓속말로 !credits 라고 보내면 볼 수 있어요.
setting-room-announcements = 결과를 트위치 공지로 알릴지와 그 색, primary는 채널의 대표 색
setting-without-effect-announcements = 이 설정은 봇이 매니저인 트위치 채팅에서 chatbot connect twitch --bot --announcements 명령을 실행한 뒤에만 효과가 있어요.
setting-without-effect-prediction = 이 설정은 chatbot connect twitch --broadcaster --predictions 명령을 실행한 트위치 제휴·파트너 방송인의 채팅에서만 효과가 있어요.
twitch-nowhere = 어디에서 하고 계신지 모르겠어요. 먼저 제가 있는 채팅에서 명령을 입력해 주세요.
